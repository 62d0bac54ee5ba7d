/**
 * The server side of the Model Context Protocol, for any transport and any {@link
 * dev.parley.mcp.protocol.ServerFeatures}.
 *
 * <p>Both eras are served at once. In the handshake era (revisions 2025-06-18 and 2025-11-25) a
 * connection begins with {@code initialize} and keeps what was agreed. In the stateless era
 * (2026-07-28) every request carries its revision and the client's capabilities. The message alone
 * tells its era.
 *
 * <p>A transport decodes messages, calls {@link dev.parley.mcp.protocol.Engine#answer} on a thread
 * of its own for each, and sends the answer. Everything here is safe for use by many threads.
 */
@NullMarked
package dev.parley.mcp.protocol;

import org.jspecify.annotations.NullMarked;
