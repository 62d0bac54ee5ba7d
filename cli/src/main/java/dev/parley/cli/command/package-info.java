/** The command interface, and the short commands. */
@NullMarked
package dev.parley.cli.command;

import org.jspecify.annotations.NullMarked;
