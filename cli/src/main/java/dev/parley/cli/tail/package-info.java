/** Shows the envelopes of topics, those that are there and those to come. */
@NullMarked
package dev.parley.cli.tail;

import org.jspecify.annotations.NullMarked;
