/**
 * The notice board of a wave of workers: what they found, what to beware of, what they are about to
 * change, and what earlier waves left. A bulletin decides nothing, so it needs no ledger.
 */
@NullMarked
package dev.parley.coordination.bulletin;

import org.jspecify.annotations.NullMarked;
