/** The agents that can be asked, and how: as a program, or as a model behind an API. */
@NullMarked
package dev.parley.orchestration.agent;

import org.jspecify.annotations.NullMarked;
