/** Git hooks that reject commits to paths that other agents have leased. */
@NullMarked
package dev.parley.cli.guard;

import org.jspecify.annotations.NullMarked;
