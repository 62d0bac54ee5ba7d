/** The commands that agents' hosts and git call, and their setup. */
@NullMarked
package dev.parley.cli.hook;

import org.jspecify.annotations.NullMarked;
