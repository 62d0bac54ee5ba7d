/**
 * The pass between a mount's files and the log, what it notes, and the state folded from those
 * notes.
 */
@NullMarked
package dev.parley.dialects.sync;

import org.jspecify.annotations.NullMarked;
