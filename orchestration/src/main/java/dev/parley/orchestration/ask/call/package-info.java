/** Executes one ask: starts a program, or calls a model's API. */
@NullMarked
package dev.parley.orchestration.ask.call;

import org.jspecify.annotations.NullMarked;
