/** One description of each command, which parsing, help and shell completion all read. */
@NullMarked
package dev.parley.cli.args;

import org.jspecify.annotations.NullMarked;
