/**
 * Which session a command, a server or a hook speaks for: {@link dev.parley.session.SessionFinder}.
 *
 * <p>A name belongs to a session, and a session outlives processes: hosts of agents start a fresh
 * process tree for every command. So a caller under the same name, of the same user, on the same
 * bus goes on with the session there is. The name is refused only while a process that certainly
 * runs uses it elsewhere. Names protect against mistakes, not against hostile programs of the same
 * user; other users are kept out by the modes of the files.
 */
@NullMarked
package dev.parley.session;

import org.jspecify.annotations.NullMarked;
