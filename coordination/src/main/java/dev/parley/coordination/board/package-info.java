/** Boards that deliberate and vote: their state in the ledger and its values. */
@NullMarked
package dev.parley.coordination.board;

import org.jspecify.annotations.NullMarked;
