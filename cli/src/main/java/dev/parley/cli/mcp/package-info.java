/** Parley as a server for agents' hosts. */
@NullMarked
package dev.parley.cli.mcp;

import org.jspecify.annotations.NullMarked;
