/** Conclave: a folder of topics, one JSON Lines file each, appended to under {@code flock}. */
@NullMarked
package dev.parley.dialects.conclave;

import org.jspecify.annotations.NullMarked;
