/** The commands about MESSAGE-BUS.md, the journal that people read. */
@NullMarked
package dev.parley.cli.journal;

import org.jspecify.annotations.NullMarked;
