/**
 * The log and the store that keep everything in this process. Internal, except for {@link
 * dev.parley.core.memory.MemoryLog}.
 */
@NullMarked
package dev.parley.core.memory;

import org.jspecify.annotations.NullMarked;
