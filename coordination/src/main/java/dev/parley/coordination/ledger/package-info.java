/** The one topic for everything that can conflict, the state folded from it, and its services. */
@NullMarked
package dev.parley.coordination.ledger;

import org.jspecify.annotations.NullMarked;
