/**
 * Ways from publishers to several consumers inside one process: ours and the peers'. All deliver
 * everything; each consumer looks whether the topic is under its prefix.
 */
@NullMarked
package dev.parley.bench.fanout;

import org.jspecify.annotations.NullMarked;
