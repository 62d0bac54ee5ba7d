/**
 * The processes of a benchmark: an {@link dev.parley.bench.process.Actor} is a JVM of its own that
 * plays a {@link dev.parley.bench.process.Role} when it gets a cue; servers are the peers' own.
 *
 * <p>Cues and answers are lines of words over stdin and stdout. An actor that waits for a cue uses
 * no CPU, so actors of all contestants live side by side and take turns.
 */
@NullMarked
package dev.parley.bench.process;

import org.jspecify.annotations.NullMarked;
