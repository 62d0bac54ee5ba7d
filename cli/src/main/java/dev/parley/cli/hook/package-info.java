/** What agents' hosts and git call at certain points, and what sets that up. */
@NullMarked
package dev.parley.cli.hook;

import org.jspecify.annotations.NullMarked;
