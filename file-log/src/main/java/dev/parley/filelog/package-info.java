/**
 * Topics as JSON Lines files in a folder that processes share, without a server and without a lock.
 *
 * <ul>
 *   <li>{@link dev.parley.filelog.FileLog} is the log; {@link dev.parley.filelog.BusFolder} is the
 *       folder: where it is, what may be in it, who may touch it.
 *   <li>{@code TopicWriter} appends, {@code TopicReader} reads; both go to the disk only through
 *       {@code Disk}.
 * </ul>
 *
 * <p>Guarantees: an append is one {@code write(2)} in append mode, so the kernel decides the order
 * and keeps lines whole; it is acknowledged after a look at the path shows that it went into the
 * file that readers open. A killed or stopped process blocks nobody. Acknowledged lines survive the
 * process; whether they survive a power failure is a setting.
 */
@NullMarked
package dev.parley.filelog;

import org.jspecify.annotations.NullMarked;
