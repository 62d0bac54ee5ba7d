/** Git hooks that keep commits off what somebody else holds. */
@NullMarked
package dev.parley.cli.guard;

import org.jspecify.annotations.NullMarked;
