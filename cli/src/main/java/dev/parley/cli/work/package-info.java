/** Leases, tasks, and the waits between agents. */
@NullMarked
package dev.parley.cli.work;

import org.jspecify.annotations.NullMarked;
