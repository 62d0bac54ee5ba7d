/**
 * What agents answer about a moderated project, read tolerantly and checked: tasks, reviews,
 * improvements. Nothing here decides what happens next.
 */
@NullMarked
package dev.parley.orchestration.moderate.answer;

import org.jspecify.annotations.NullMarked;
