/** The one topic for everything that can conflict, what is folded from it, and who is here. */
@NullMarked
package dev.parley.coordination.ledger;

import org.jspecify.annotations.NullMarked;
