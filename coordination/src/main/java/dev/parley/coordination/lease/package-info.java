/** Leases on paths: their holders, the line of those who wait, and the rules for both. */
@NullMarked
package dev.parley.coordination.lease;

import org.jspecify.annotations.NullMarked;
