/**
 * Output and its format: plain and complete into a pipe, coloured on a terminal, never with control
 * characters from foreign text.
 */
@NullMarked
package dev.parley.cli.terminal;

import org.jspecify.annotations.NullMarked;
