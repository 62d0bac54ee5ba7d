/** The command that accepts a bus which came from elsewhere. */
@NullMarked
package dev.parley.cli.trust;

import org.jspecify.annotations.NullMarked;
