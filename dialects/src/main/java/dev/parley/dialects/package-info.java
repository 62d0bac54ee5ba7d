/**
 * What the dialects share. A dialect is another tool's own files, read and written as that tool
 * does: a {@link dev.parley.dialects.Codec} for its messages, and whatever keeps its files.
 *
 * <p>Guarantees: what a foreign format can hold survives the way into the log and back ({@link
 * dev.parley.dialects.Origin}); what can't be read stays where it is and is told with file, line
 * and reason ({@link dev.parley.dialects.Remark}).
 */
@NullMarked
package dev.parley.dialects;

import org.jspecify.annotations.NullMarked;
