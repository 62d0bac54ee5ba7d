/**
 * The protocol over HTTP, for clients on this machine.
 *
 * <p>Every request passes the same checks before it is read: whether it used a name of this machine
 * ({@link dev.parley.mcp.http.HostCheck}), and which agent sent it ({@link
 * dev.parley.mcp.http.Access}). Then it is counted ({@link dev.parley.mcp.http.RateLimit}).
 */
@NullMarked
package dev.parley.mcp.http;

import org.jspecify.annotations.NullMarked;
