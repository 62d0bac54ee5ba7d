/**
 * What hosts tell us at certain points of an agent's work, and what we tell them.
 *
 * <p>{@link dev.parley.mcp.hook.HookEvent} reads what a host says, {@link
 * dev.parley.mcp.hook.HookRules} decides, {@link dev.parley.mcp.hook.HookAnswer} writes it down as
 * that host wants it. It is the same whether a host starts a command, calls a tool of our MCP
 * server, or posts to our HTTP server.
 */
@NullMarked
package dev.parley.mcp.hook;

import org.jspecify.annotations.NullMarked;
