/**
 * Hooks: the events that hosts report about an agent's work, and our answers.
 *
 * <p>{@link dev.parley.mcp.hook.HookEvent} parses the host's input, {@link
 * dev.parley.mcp.hook.HookRules} decides, {@link dev.parley.mcp.hook.HookAnswer} writes the host's
 * format. This is the same whether a host starts a command, calls a tool of our MCP server, or
 * posts to our HTTP server.
 */
@NullMarked
package dev.parley.mcp.hook;

import org.jspecify.annotations.NullMarked;
