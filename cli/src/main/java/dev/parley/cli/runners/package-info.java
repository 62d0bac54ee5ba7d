/** Commands that have agents work: one task in a loop, or a plan in waves. */
@NullMarked
package dev.parley.cli.runners;

import org.jspecify.annotations.NullMarked;
