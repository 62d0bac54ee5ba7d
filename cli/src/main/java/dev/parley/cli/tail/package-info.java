/** Shows the envelopes of topics, existing and new ones. */
@NullMarked
package dev.parley.cli.tail;

import org.jspecify.annotations.NullMarked;
