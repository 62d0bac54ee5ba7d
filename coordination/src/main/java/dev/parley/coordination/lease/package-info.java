/** Who holds which paths, and who waits for them. */
@NullMarked
package dev.parley.coordination.lease;

import org.jspecify.annotations.NullMarked;
