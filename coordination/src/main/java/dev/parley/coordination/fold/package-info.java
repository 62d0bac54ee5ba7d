/** How a state is folded from topics, kept as a view, and how time moves in it. */
@NullMarked
package dev.parley.coordination.fold;

import org.jspecify.annotations.NullMarked;
