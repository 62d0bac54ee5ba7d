/** The Model Context Protocol server: what an agent finds in its tool list. */
@NullMarked
package dev.parley.mcp;

import org.jspecify.annotations.NullMarked;
