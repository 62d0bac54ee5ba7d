/** Tasks: their dependencies, their states and their owners. */
@NullMarked
package dev.parley.coordination.task;

import org.jspecify.annotations.NullMarked;
