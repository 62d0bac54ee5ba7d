/** Commands that let agents work: one task in a loop, a plan in waves, or a moderated project. */
@NullMarked
package dev.parley.cli.runners;

import org.jspecify.annotations.NullMarked;
