/** Who waits for what, so that nobody waits in a circle. */
@NullMarked
package dev.parley.coordination.wait;

import org.jspecify.annotations.NullMarked;
