/** Examines a bus, names what is wrong with it, and takes it back. */
@NullMarked
package dev.parley.cli.doctor;

import org.jspecify.annotations.NullMarked;
