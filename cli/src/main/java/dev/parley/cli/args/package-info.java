/** One description of each command, from which parsing, help and shell completion work. */
@NullMarked
package dev.parley.cli.args;

import org.jspecify.annotations.NullMarked;
