/** The grammar that names share, and suggestions for misspelled ones. Internal. */
@NullMarked
package dev.parley.core.names;

import org.jspecify.annotations.NullMarked;
