/** Programs that were started: what they print, and the end of all that they have started. */
@NullMarked
package dev.parley.orchestration.process;

import org.jspecify.annotations.NullMarked;
