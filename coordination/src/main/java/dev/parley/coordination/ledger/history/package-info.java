/**
 * Questions about the ledger's past, answered by folding it again: what one line cost others, with
 * which line a wait ended, and which lines no Parley program should have written.
 */
@NullMarked
package dev.parley.coordination.ledger.history;

import org.jspecify.annotations.NullMarked;
