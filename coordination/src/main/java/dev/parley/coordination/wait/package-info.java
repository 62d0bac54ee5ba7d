/** Declared waits. They let the ledger refuse a wait that would close a cycle. */
@NullMarked
package dev.parley.coordination.wait;

import org.jspecify.annotations.NullMarked;
