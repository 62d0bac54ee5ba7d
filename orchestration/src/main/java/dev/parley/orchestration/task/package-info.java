/**
 * A program as the work on a task: it is claimed before, and done or failed as the program ends.
 */
@NullMarked
package dev.parley.orchestration.task;

import org.jspecify.annotations.NullMarked;
