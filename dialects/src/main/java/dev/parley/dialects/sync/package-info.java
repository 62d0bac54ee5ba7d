/** The pass between a mount's files and the log, its notes, and the state folded from them. */
@NullMarked
package dev.parley.dialects.sync;

import org.jspecify.annotations.NullMarked;
