/** Declared waits, so that a circle of waits is refused before it closes. */
@NullMarked
package dev.parley.coordination.wait;

import org.jspecify.annotations.NullMarked;
