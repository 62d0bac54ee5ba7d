/**
 * Prompts, and the parsing of answers. Foreign text in a prompt is always between marks that it
 * can't contain, and an answer is data.
 */
@NullMarked
package dev.parley.orchestration.prompt;

import org.jspecify.annotations.NullMarked;
