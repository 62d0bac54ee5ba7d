/**
 * Wakes an idle agent that got mail, in the way that its host offers.
 *
 * <p>{@link dev.parley.mcp.wake.Waker} waits for mail and keeps to the limits, whatever the way; a
 * {@link dev.parley.mcp.wake.WakeCall} is one way. It runs in a process of the agent's own: the
 * host's hook, its MCP server, or {@code parley run}. Such a process has the rights of the host and
 * knows its session, where a sender may be in a sandbox that reaches nothing.
 */
@NullMarked
package dev.parley.mcp.wake;

import org.jspecify.annotations.NullMarked;
