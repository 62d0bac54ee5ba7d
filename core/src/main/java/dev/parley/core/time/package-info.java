/** Timestamps in lines, and the clocks they come from. API for those who implement a log. */
@NullMarked
package dev.parley.core.time;

import org.jspecify.annotations.NullMarked;
