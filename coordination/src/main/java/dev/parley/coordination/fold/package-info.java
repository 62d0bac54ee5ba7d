/** How readers fold topics into a state, save it as a view, and keep its time. */
@NullMarked
package dev.parley.coordination.fold;

import org.jspecify.annotations.NullMarked;
