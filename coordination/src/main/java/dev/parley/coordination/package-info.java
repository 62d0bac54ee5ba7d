/**
 * Coordination: pure folds over topics, and beside them the small services that append to a log and
 * answer from the fold. Nothing here knows which log it is on.
 */
@NullMarked
package dev.parley.coordination;

import org.jspecify.annotations.NullMarked;
