/** How idle agents are woken, for people who want to see it. */
@NullMarked
package dev.parley.cli.wake;

import org.jspecify.annotations.NullMarked;
