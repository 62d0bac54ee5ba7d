/** Three processes that work together over a bus, to be watched. */
@NullMarked
package dev.parley.cli.demo;

import org.jspecify.annotations.NullMarked;
