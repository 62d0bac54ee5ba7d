/** Started programs: their output, and the end of all their processes. */
@NullMarked
package dev.parley.orchestration.process;

import org.jspecify.annotations.NullMarked;
