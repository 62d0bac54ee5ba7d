/**
 * Coordination: pure folds over topics, and small services that append to a log and answer from a
 * fold. Nothing here depends on the kind of log.
 */
@NullMarked
package dev.parley.coordination;

import org.jspecify.annotations.NullMarked;
