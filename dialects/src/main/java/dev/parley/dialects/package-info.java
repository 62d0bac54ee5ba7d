/**
 * Dialects: other tools' own files, read and written as those tools do.
 *
 * <pre>
 * file      reads, replaces, locks and watches foreign files; knows nothing of messages
 * message   one foreign message as an envelope and back (codecs), and what is too long for a line
 * sync      one pass between a mount's files and the log, and how far both are in step
 * append    mirrors files that are only ever appended to
 * conclave, conductor, swarm, markdown, gear    one design each; none knows another
 * mount     what is mounted on a bus; runs the passes
 * </pre>
 *
 * <p>Guarantees: what a foreign format can hold survives the way into the log and back ({@link
 * dev.parley.dialects.message.Origin}). What cannot be read stays where it is and is reported with
 * file, line and reason ({@link dev.parley.dialects.file.FileRemark}).
 */
@NullMarked
package dev.parley.dialects;

import org.jspecify.annotations.NullMarked;
