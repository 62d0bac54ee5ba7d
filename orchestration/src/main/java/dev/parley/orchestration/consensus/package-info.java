/**
 * Several agents analyse the same subject, may debate it, and a chairman sums up.
 *
 * <p>Fixed rules compute the result from the answers; the chairman explains it, and decides
 * nothing.
 */
@NullMarked
package dev.parley.orchestration.consensus;

import org.jspecify.annotations.NullMarked;
