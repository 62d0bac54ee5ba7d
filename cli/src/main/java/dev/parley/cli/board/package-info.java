/** The command for boards. */
@NullMarked
package dev.parley.cli.board;

import org.jspecify.annotations.NullMarked;
