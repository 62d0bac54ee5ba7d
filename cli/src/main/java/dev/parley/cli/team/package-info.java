/** The caller's identity, the roster, and the current activity. */
@NullMarked
package dev.parley.cli.team;

import org.jspecify.annotations.NullMarked;
