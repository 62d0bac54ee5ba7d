/**
 * Questions about the ledger's past, answered by folding it again: what one line cost others, when
 * a wait was over, and which lines no Parley should have written.
 */
@NullMarked
package dev.parley.coordination.ledger.history;

import org.jspecify.annotations.NullMarked;
