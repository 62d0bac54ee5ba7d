/** Patterns of file paths for leases and tasks, and whether two of them overlap. */
@NullMarked
package dev.parley.coordination.path;

import org.jspecify.annotations.NullMarked;
