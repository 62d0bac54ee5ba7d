/**
 * The Model Context Protocol for servers, whatever the transport and whatever is offered.
 *
 * <p>Both eras are served at once. In the handshake era (revisions 2025-06-18 and 2025-11-25) a
 * connection begins with {@code initialize} and keeps what was agreed. In the stateless era
 * (2026-07-28) every request carries its revision and the client's capabilities. Which era a
 * message belongs to is told by the message alone.
 *
 * <p>A transport decodes messages, calls {@link dev.parley.mcp.protocol.Engine#answer} on a thread
 * of its own for each, and sends what it answers. Everything here is safe for use by many threads.
 */
@NullMarked
package dev.parley.mcp.protocol;

import org.jspecify.annotations.NullMarked;
