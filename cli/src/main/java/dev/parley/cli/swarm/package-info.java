/** The sessions of a mounted Swarm folder, and what is kept under them in its database. */
@NullMarked
package dev.parley.cli.swarm;

import org.jspecify.annotations.NullMarked;
