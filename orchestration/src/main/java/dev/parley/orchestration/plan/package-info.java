/** Plans: tasks with files and dependencies, read from Markdown and arranged in waves. */
@NullMarked
package dev.parley.orchestration.plan;

import org.jspecify.annotations.NullMarked;
