/**
 * Where output goes and how it looks: plain and whole into a pipe, coloured on a terminal, never
 * with a control character that somebody else wrote.
 */
@NullMarked
package dev.parley.cli.terminal;

import org.jspecify.annotations.NullMarked;
