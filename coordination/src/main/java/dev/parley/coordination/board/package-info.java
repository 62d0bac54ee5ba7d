/** Boards that deliberate and vote: the part of the ledger, and the values it is made of. */
@NullMarked
package dev.parley.coordination.board;

import org.jspecify.annotations.NullMarked;
