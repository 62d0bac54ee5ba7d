/** Mirrors files that are only ever appended to, and are read in chunks. */
@NullMarked
package dev.parley.dialects.append;

import org.jspecify.annotations.NullMarked;
