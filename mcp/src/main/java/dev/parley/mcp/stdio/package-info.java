/** The protocol over a process's standard streams: one message a line. */
@NullMarked
package dev.parley.mcp.stdio;

import org.jspecify.annotations.NullMarked;
