/** Examines a bus, reports what is wrong, and reverts it. */
@NullMarked
package dev.parley.cli.doctor;

import org.jspecify.annotations.NullMarked;
