/**
 * Learning of appends by other processes: by file watch, or by polling file sizes where that fails.
 * Internal.
 */
@NullMarked
package dev.parley.filelog.watch;

import org.jspecify.annotations.NullMarked;
