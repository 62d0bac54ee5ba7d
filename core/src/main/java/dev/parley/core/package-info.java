/**
 * The words of Parley: what a message is, where it is kept, how it is followed.
 *
 * <ul>
 *   <li>{@link dev.parley.core.Message} is what someone wants to say; {@link
 *       dev.parley.core.Envelope} is the line of a topic it became.
 *   <li>{@link dev.parley.core.Topic} names an ordered log, {@link dev.parley.core.Prefix} a topic
 *       and everything under it.
 *   <li>{@link dev.parley.core.Log} stores topics: append, read from a place, be told of news.
 *       {@link dev.parley.core.memory.MemoryLog} keeps them in this process.
 *   <li>{@link dev.parley.core.bus.Bus} is what programs use: publish and subscribe on any log.
 *   <li>{@link dev.parley.core.bus.Feed} is pulled, {@link dev.parley.core.bus.Subscription} calls;
 *       both deliver every envelope, in order within its topic, and report what they had to pass
 *       over.
 * </ul>
 *
 * <p>Guarantees, for every log: what was acknowledged is read by everyone, once, in one order a
 * topic. There is no order between topics. A wake-up is a hint; the position is the truth. Nothing
 * is dropped in silence: see {@link dev.parley.core.Report}.
 */
@NullMarked
package dev.parley.core;

import org.jspecify.annotations.NullMarked;
