/** The agents on the bus: their sessions, what they do, and when each last wrote. */
@NullMarked
package dev.parley.coordination.roster;

import org.jspecify.annotations.NullMarked;
