/**
 * What an agent finds in its tool list: {@link dev.parley.mcp.tools.AgentOffer}.
 *
 * <p>Everything costs the model that reads it, so there are few tools, answers are short, and a
 * test counts the tokens. What others wrote stands only in fields of JSON that are named for what
 * they are ({@code body}, {@code text}, …) beside the name of who wrote it; names, descriptions and
 * errors hold nothing of it.
 */
@NullMarked
package dev.parley.mcp.tools;

import org.jspecify.annotations.NullMarked;
