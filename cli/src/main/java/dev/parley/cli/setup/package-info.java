/** Writes Parley's entries into the settings of agents' hosts. */
@NullMarked
package dev.parley.cli.setup;

import org.jspecify.annotations.NullMarked;
