/** The commands about other tools' files that belong to the bus. */
@NullMarked
package dev.parley.cli.mount;

import org.jspecify.annotations.NullMarked;
