/**
 * Swarm: agents in terminal panes, each with an inbox and an outbox file: JSON arrays that are
 * replaced as a whole.
 *
 * <p>{@link dev.parley.dialects.swarm.SwarmMessageBus} has all of Swarm's functions, on the files
 * alone. {@link dev.parley.dialects.swarm.QueueFile} is one such file. It is changed only under its
 * lock file and replaced atomically, and entries that can't be read are kept.
 */
@NullMarked
package dev.parley.dialects.swarm;

import org.jspecify.annotations.NullMarked;
