/**
 * Appending to a topic file, without a lock between processes. Internal.
 *
 * <p>{@code TopicWriter} collects the messages of all threads into one write and one sync (group
 * commit). {@code TopicFile} stores a batch and verifies that it is in the file that readers open.
 */
@NullMarked
package dev.parley.filelog.append;

import org.jspecify.annotations.NullMarked;
