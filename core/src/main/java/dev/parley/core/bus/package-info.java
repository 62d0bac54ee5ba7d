/**
 * Publishing to topics and following them, on any log. API.
 *
 * <p>{@link dev.parley.core.bus.Bus} is the entry point. {@link dev.parley.core.bus.Feed} is
 * pulled, {@link dev.parley.core.bus.Subscription} calls a handler; both deliver every envelope, in
 * order within its topic. {@link dev.parley.core.bus.LocalDoorbell} wakes readers in the same
 * process.
 */
@NullMarked
package dev.parley.core.bus;

import org.jspecify.annotations.NullMarked;
