/** Keeps the queues of a Swarm folder and the bus in step. */
@NullMarked
package dev.parley.dialects.swarm.mirror;

import org.jspecify.annotations.NullMarked;
