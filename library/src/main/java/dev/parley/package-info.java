/**
 * The front door: {@link dev.parley.Parley} opens a bus, {@link dev.parley.Agent} is an agent on
 * it, {@link dev.parley.ChangeStream} tells what happens.
 *
 * <p>Everything here is safe for use by many threads, and ends when the bus is closed.
 */
@NullMarked
package dev.parley;

import org.jspecify.annotations.NullMarked;
