/**
 * Wakes an idle agent that got mail, in the way that its host offers.
 *
 * <p>{@link dev.parley.mcp.wake.Waker} waits for mail and enforces the limits. Each {@link
 * dev.parley.mcp.wake.WakeCall} is one way to wake. It runs in a process on the agent's side: the
 * host's hook, its MCP server, or {@code parley run}. Such a process has the host's rights and
 * knows its session, whereas a sender may be in a sandbox that reaches nothing.
 */
@NullMarked
package dev.parley.mcp.wake;

import org.jspecify.annotations.NullMarked;
