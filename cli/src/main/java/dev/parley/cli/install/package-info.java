/** Installs the program on the PATH, and removes it. */
@NullMarked
package dev.parley.cli.install;

import org.jspecify.annotations.NullMarked;
