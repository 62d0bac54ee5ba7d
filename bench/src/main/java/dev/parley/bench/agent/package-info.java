/** What our own bus costs the process that uses it: replay, many topics, many subscribers. */
@NullMarked
package dev.parley.bench.agent;

import org.jspecify.annotations.NullMarked;
