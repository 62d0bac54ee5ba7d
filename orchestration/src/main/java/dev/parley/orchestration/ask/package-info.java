/**
 * Asking agents: {@link dev.parley.orchestration.ask.Asker} is the interface, {@link
 * dev.parley.orchestration.ask.Run} records every ask on the bus.
 *
 * <p>Every agent is started through this package. Limits, retries, secrets and the end of process
 * trees are handled here and nowhere else.
 */
@NullMarked
package dev.parley.orchestration.ask;

import org.jspecify.annotations.NullMarked;
