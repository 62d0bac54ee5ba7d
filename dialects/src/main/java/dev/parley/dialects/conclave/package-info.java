/**
 * Conclave: a folder of topics, one JSON Lines file each, appended to under {@code flock}.
 *
 * <p>The system's {@code flock} is reached through the foreign function interface, which takes
 * longer to start than most commands run: nothing outside this package loads it.
 */
@NullMarked
package dev.parley.dialects.conclave;

import org.jspecify.annotations.NullMarked;
