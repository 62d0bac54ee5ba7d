/**
 * Asking agents: {@link dev.parley.orchestration.ask.Asker} is who asks, {@link
 * dev.parley.orchestration.ask.Run} the one that keeps every ask on the bus.
 *
 * <p>Everything that starts an agent goes through here: limits, retries, secrets and the end of
 * whole process trees are dealt with in this package and nowhere else.
 */
@NullMarked
package dev.parley.orchestration.ask;

import org.jspecify.annotations.NullMarked;
