/** Tools of other designs that share their files with our bus, and the bridge between them. */
@NullMarked
package dev.parley.bench.foreign;

import org.jspecify.annotations.NullMarked;
