/**
 * The words for what was decided: {@link dev.parley.text.Explanation} turns a code and its details
 * into a sentence and a next step. Folds and decisions hold data only, so this is the one place
 * where the sentences are.
 */
@NullMarked
package dev.parley.text;

import org.jspecify.annotations.NullMarked;
