/**
 * Measures Parley beside its peers and the physical limit: {@code ./parley-bench}.
 *
 * <pre>
 * Bench ─▶ figure    what is measured          ─▶ report   RESULTS.md and plots
 *            │
 *            ├─▶ measure   rounds, bars, medians
 *            ├─▶ carrier   systems that carry messages between processes
 *            ├─▶ fanout    systems that carry them inside one
 *            ├─▶ agent     what our bus costs its user
 *            ├─▶ mcp       what hosts of agents do
 *            └─▶ process   child JVMs and servers
 * </pre>
 */
@NullMarked
package dev.parley.bench;

import org.jspecify.annotations.NullMarked;
