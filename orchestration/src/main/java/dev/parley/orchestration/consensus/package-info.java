/**
 * Several agents analyse the same thing, may debate it, and a chairman sums up.
 *
 * <p>What a consensus came to is computed from the answers by rules that are written down here; the
 * chairman explains, and decides nothing.
 */
@NullMarked
package dev.parley.orchestration.consensus;

import org.jspecify.annotations.NullMarked;
