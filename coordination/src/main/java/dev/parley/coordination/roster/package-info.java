/** Who is on the bus, doing what, and when each was last heard of. */
@NullMarked
package dev.parley.coordination.roster;

import org.jspecify.annotations.NullMarked;
