/**
 * Topics as JSON Lines files in a folder that processes share, without a server and without a lock.
 *
 * <ul>
 *   <li>{@link dev.parley.filelog.FileLog} is the log; {@link dev.parley.filelog.BusFolder} is the
 *       folder: finding, creating and trusting it.
 *   <li>{@code TopicWriter} appends, {@code TopicReader} reads; both use the disk only through
 *       {@code Disk}.
 * </ul>
 *
 * <p>Guarantees: an append is one {@code write(2)} in append mode, so the kernel decides the order
 * and keeps lines whole. It is acknowledged after a check that it went into the file at the path,
 * which is the one that readers open. A killed or stopped process blocks nobody. Acknowledged lines
 * survive the process; {@link dev.parley.filelog.Durability} says whether they survive a power
 * failure.
 */
@NullMarked
package dev.parley.filelog;

import org.jspecify.annotations.NullMarked;
