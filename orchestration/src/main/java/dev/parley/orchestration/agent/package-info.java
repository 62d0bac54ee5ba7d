/** Who can be asked, and in which way: a program, or a model behind an API. */
@NullMarked
package dev.parley.orchestration.agent;

import org.jspecify.annotations.NullMarked;
