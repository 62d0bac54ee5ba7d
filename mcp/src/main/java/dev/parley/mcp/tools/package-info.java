/**
 * The tools of an agent: {@link dev.parley.mcp.tools.AgentOffer}.
 *
 * <p>Everything costs the model tokens, so there are few tools, answers are short, and a test
 * counts the tokens. Text by others is only in JSON fields named for it ({@code body}, {@code
 * text}, …), beside the author's name. Names, descriptions and errors have none of it.
 */
@NullMarked
package dev.parley.mcp.tools;

import org.jspecify.annotations.NullMarked;
