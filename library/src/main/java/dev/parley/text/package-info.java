/**
 * All sentences about decisions: {@link dev.parley.text.Explanation} turns a code and its details
 * into a sentence and a next step. Folds and decisions hold data only.
 */
@NullMarked
package dev.parley.text;

import org.jspecify.annotations.NullMarked;
