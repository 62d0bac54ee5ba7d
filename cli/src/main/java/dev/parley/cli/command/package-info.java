/** What a command is, and the short ones. */
@NullMarked
package dev.parley.cli.command;

import org.jspecify.annotations.NullMarked;
