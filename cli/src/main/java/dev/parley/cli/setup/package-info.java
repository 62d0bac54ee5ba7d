/** Writes what agents' hosts need to know of Parley into their settings. */
@NullMarked
package dev.parley.cli.setup;

import org.jspecify.annotations.NullMarked;
