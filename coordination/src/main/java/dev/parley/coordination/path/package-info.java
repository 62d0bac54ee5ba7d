/** Patterns of file paths, as leases and tasks name them, and whether two of them can meet. */
@NullMarked
package dev.parley.coordination.path;

import org.jspecify.annotations.NullMarked;
