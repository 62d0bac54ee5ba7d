/**
 * What agents are told, and what is read from their answers. Words of others stand in a prompt only
 * between marks that they can't contain, and an answer is data.
 */
@NullMarked
package dev.parley.orchestration.prompt;

import org.jspecify.annotations.NullMarked;
