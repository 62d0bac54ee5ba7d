/** What a host of agents does: starts MCP servers, calls tools and hooks. */
@NullMarked
package dev.parley.bench.mcp;

import org.jspecify.annotations.NullMarked;
