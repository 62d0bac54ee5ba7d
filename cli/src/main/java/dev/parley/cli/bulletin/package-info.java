/** The command for bulletins. */
@NullMarked
package dev.parley.cli.bulletin;

import org.jspecify.annotations.NullMarked;
