/** Commands that ask agents that run as programs, alone and together. */
@NullMarked
package dev.parley.cli.agents;

import org.jspecify.annotations.NullMarked;
