/** The demo: processes that work together over a bus. */
@NullMarked
package dev.parley.cli.demo;

import org.jspecify.annotations.NullMarked;
