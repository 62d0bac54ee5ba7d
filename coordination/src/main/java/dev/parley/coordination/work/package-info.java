/** What agents do with the ledger: take paths, work on tasks, wait. */
@NullMarked
package dev.parley.coordination.work;

import org.jspecify.annotations.NullMarked;
