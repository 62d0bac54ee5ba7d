/**
 * Swarm: agents in terminal panes with an inbox and an outbox file each, JSON arrays that are
 * replaced as a whole.
 *
 * <p>{@link dev.parley.dialects.swarm.SwarmMessageBus} has the design's whole list of functions, on
 * the files alone. {@link dev.parley.dialects.swarm.QueueFile} is one such file: changed only under
 * its sentinel, replaced atomically, and without losing what it can't read.
 */
@NullMarked
package dev.parley.dialects.swarm;

import org.jspecify.annotations.NullMarked;
