/** Puts the program onto the PATH, and takes it away again. */
@NullMarked
package dev.parley.cli.install;

import org.jspecify.annotations.NullMarked;
