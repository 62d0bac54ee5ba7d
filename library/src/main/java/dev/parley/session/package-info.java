/**
 * Finds the session that a command, a server or a hook speaks for: {@link
 * dev.parley.session.SessionFinder}.
 *
 * <p>A name belongs to a session, and a session outlives processes: hosts of agents start a new
 * process tree for every command. So a caller with the same name, user and bus continues the
 * existing session. A name is refused only while a process that certainly runs uses it elsewhere.
 * Names protect against mistakes, not against hostile programs of the same user. File modes keep
 * other users out.
 */
@NullMarked
package dev.parley.session;

import org.jspecify.annotations.NullMarked;
