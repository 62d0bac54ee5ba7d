/** The services with which agents use the ledger: leases, tasks, boards, waits. */
@NullMarked
package dev.parley.coordination.work;

import org.jspecify.annotations.NullMarked;
