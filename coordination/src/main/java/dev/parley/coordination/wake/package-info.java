/**
 * Waking an idle agent that got mail: how it can be woken, what became of each attempt, and the
 * limits that keep agents from waking each other without end.
 *
 * <p>The program that wakes an agent runs on that agent's side: a hook, an MCP server or a runner
 * that its host started. Senders only send.
 */
@NullMarked
package dev.parley.coordination.wake;

import org.jspecify.annotations.NullMarked;
