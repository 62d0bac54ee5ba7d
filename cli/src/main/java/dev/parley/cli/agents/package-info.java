/** Commands that ask agents which run as programs, alone and together. */
@NullMarked
package dev.parley.cli.agents;

import org.jspecify.annotations.NullMarked;
