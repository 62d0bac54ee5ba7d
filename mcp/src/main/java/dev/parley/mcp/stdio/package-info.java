/** The protocol over the streams of a process: one message a line. */
@NullMarked
package dev.parley.mcp.stdio;

import org.jspecify.annotations.NullMarked;
