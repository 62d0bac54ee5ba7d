/** Leases on paths: their holders, the queue of waiters, and the rules for both. */
@NullMarked
package dev.parley.coordination.lease;

import org.jspecify.annotations.NullMarked;
