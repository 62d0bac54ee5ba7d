/** The settings of a bus, and the environment variables. */
@NullMarked
package dev.parley.cli.config;

import org.jspecify.annotations.NullMarked;
