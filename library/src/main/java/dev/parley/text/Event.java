package dev.parley.text;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened on a bus.
 *
 * @param agent the agent that did it, or that it happened to
 * @param text what it was, in words that follow the name; holds what others wrote
 * @param bad whether an agent was refused, failed or lost something
 * @param type the type of the envelope that says so
 * @param task the task that it is about; null if it is about none
 * @param at when, on the wall clock; null if the envelope has no time
 * @param proof that envelope, as topic@position
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
