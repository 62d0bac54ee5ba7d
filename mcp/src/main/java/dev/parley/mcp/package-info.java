/** The Model Context Protocol server: Parley in an agent's tool list. */
@NullMarked
package dev.parley.mcp;

import org.jspecify.annotations.NullMarked;
