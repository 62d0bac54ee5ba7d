/**
 * Ways of carrying messages from one process to another: ours, the bare system calls, and the
 * peers'. All carry {@link dev.parley.bench.carrier.Text} of the same 200 bytes; ours makes them
 * from a message each time, the others get them ready-made.
 */
@NullMarked
package dev.parley.bench.carrier;

import org.jspecify.annotations.NullMarked;
