/** The command {@code keys}: who signs on a bus, and whether everyone must. */
@NullMarked
package dev.parley.cli.keys;

import org.jspecify.annotations.NullMarked;
