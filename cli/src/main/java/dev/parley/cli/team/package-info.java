/** Who somebody is, who is here, and what is going on. */
@NullMarked
package dev.parley.cli.team;

import org.jspecify.annotations.NullMarked;
