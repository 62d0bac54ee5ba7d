/** What is set for a bus, and by which variables. */
@NullMarked
package dev.parley.cli.config;

import org.jspecify.annotations.NullMarked;
