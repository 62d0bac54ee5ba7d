/**
 * Plans: tasks with files and dependencies, read from Markdown, and the waves they can be done in.
 */
@NullMarked
package dev.parley.orchestration.plan;

import org.jspecify.annotations.NullMarked;
