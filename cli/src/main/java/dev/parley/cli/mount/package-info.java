/** The commands for other tools' mounted files. */
@NullMarked
package dev.parley.cli.mount;

import org.jspecify.annotations.NullMarked;
