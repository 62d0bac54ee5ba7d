package dev.parley.text;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened on a bus.
 *
 * @param agent the agent that did it, or that it happened to
 * @param text what happened, in words that follow the name; may contain text of agents
 * @param bad whether an agent was refused, failed or lost something
 * @param type the type of the envelope that caused it
 * @param task the task; null if it is about none
 * @param at when, by the wall clock; null if the envelope has no time
 * @param proof the position of that envelope, as {@code topic@position}
 */
public record Event(
    String agent,
    String text,
    boolean bad,
    String type,
    @Nullable String task,
    @Nullable Instant at,
    String proof) {

  /** The same in other words. */
  public Event saying(String words) {
    return new Event(agent, words, bad, type, task, at, proof);
  }
}
