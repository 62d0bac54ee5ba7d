package dev.parley.core.keys;

import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.keys.SignaturePolicy.Rejection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whose key is valid where: the fold of the topic {@code keys}. Pure.
 *
 * <p>The bus's owner is the person {@code human}, whose key the registry of that user names. It
 * comes from outside, so nothing in the log can replace it.
 *
 * <pre>
 * line                     | condition                          | effect
 * -------------------------+------------------------------------+----------------------------------
 * keys.announce            | signed by the owner                | none: the topic is there, so that
 *                          |                                    | programs begin to sign
 * keys.require {from}      | signed by the owner                | lines after those places must be
 *                          |                                    | signed; a later one moves them
 * keys.bind {key}          | signed by that key; its sender has | the key is the sender's
 *                          | none, or this one                  |
 * keys.change {agent,key,  | signed by the owner                | after those places the key is the
 *   from}                  |                                    | agent's, and no earlier one
 * keys.lift                | signed by the owner                | no line must be signed
 * any other, or not so     |                                    | none; listed as refused
 * </pre>
 *
 * <p>A place in {@code from} is the size that a topic had; a topic that is not named had none.
 *
 * <p>Each key was bound before anything was signed with it, so a reader that has read this topic to
 * its end knows every key that it can meet.
 */
public final class KeyRing {
  /** The topic that it is folded from. */
  public static final Topic TOPIC = new Topic("keys");

  /** The name that a person writes under; only that key changes others. */
  public static final String OWNER = "human";

  /** A key that is an agent's from some places on. */
  private record Bound(PublicKey key, Map<String, Long> from) {
    boolean countsAt(Topic topic, long start) {
      return start >= from.getOrDefault(topic.name(), 0L);
    }
  }

  private final PublicKey owner;
  private final Map<String, List<Bound>> agents = new TreeMap<>();
  private Map<String, Long> required = Map.of();
  private boolean isRequired;
  private @Nullable String incarnation;

  public KeyRing(PublicKey owner) {
    this.owner = owner;
    agents.put(OWNER, List.of(new Bound(owner, Map.of())));
  }

  public PublicKey owner() {
    return owner;
  }

  /** Whether lines must be signed now. */
  public boolean isRequired() {
    return isRequired;
  }

  /** The agents that have keys. */
  public Set<String> agents() {
    return new TreeSet<>(agents.keySet());
  }

  /** The key that an agent signs with now; null if it has none. */
  public @Nullable PublicKey key(String agent) {
    List<Bound> bound = agents.get(agent);
    return bound == null ? null : bound.getLast().key;
  }

  /** The id of the first line of the topic; empty if there is none. */
  public String incarnation() {
    return incarnation == null ? "" : incarnation;
  }

  /**
   * Applies the next line of the topic.
   *
   * @return why it has no effect; null if it has
   */
  public @Nullable Rejection apply(Envelope line) {
    if (incarnation == null) {
      incarnation = line.id();
    }
    Map<String, Json> payload = line.payload().fields();
    return switch (line.type()) {
      case KeyTypes.ANNOUNCE -> verify(line, owner);
      case KeyTypes.LIFT -> lift(line);
      case KeyTypes.REQUIRE -> require(line, payload);
      case KeyTypes.BIND -> bind(line, payload);
      case KeyTypes.CHANGE -> change(line, payload);
      default -> Rejection.UNSIGNED;
    };
  }

  private @Nullable Rejection require(Envelope line, Map<String, Json> payload) {
    Rejection rejection = verify(line, owner);
    if (rejection == null) {
      required = places(payload);
      isRequired = true;
    }
    return rejection;
  }

  private @Nullable Rejection lift(Envelope line) {
    Rejection rejection = verify(line, owner);
    if (rejection == null) {
      isRequired = false;
    }
    return rejection;
  }

  private @Nullable Rejection bind(Envelope line, Map<String, Json> payload) {
    PublicKey key = PublicKey.parse(payload.getOrDefault("key", Json.NULL).text());
    PublicKey bound = key(line.sender());
    boolean isOthers = bound != null && !bound.equals(key);
    if (key == null || isOthers || !AgentName.isValid(line.sender())) {
      return Rejection.UNKNOWN_KEY;
    }
    Rejection rejection = verify(line, key);
    if (rejection == null && bound == null) {
      agents.put(line.sender(), List.of(new Bound(key, Map.of())));
    }
    return rejection;
  }

  private @Nullable Rejection change(Envelope line, Map<String, Json> payload) {
    PublicKey key = PublicKey.parse(payload.getOrDefault("key", Json.NULL).text());
    String agent = payload.getOrDefault("agent", Json.NULL).text();
    if (key == null || agent == null || !AgentName.isValid(agent) || agent.equals(OWNER)) {
      return Rejection.UNKNOWN_KEY;
    }
    Rejection rejection = verify(line, owner);
    if (rejection == null) {
      List<Bound> bound = new ArrayList<>(agents.getOrDefault(agent, List.of()));
      bound.add(new Bound(key, places(payload)));
      agents.put(agent, List.copyOf(bound));
    }
    return rejection;
  }

  private @Nullable Rejection verify(Envelope line, PublicKey key) {
    byte[] bytes = line.toLine();
    LineSignature signature = LineSignature.of(bytes);
    if (signature == null) {
      return Rejection.UNSIGNED;
    }
    if (!signature.isNear(start(line, bytes))) {
      return Rejection.STALE;
    }
    return signature.fits(key, TOPIC, incarnation(), bytes) ? null : Rejection.FORGED;
  }

  /**
   * Why a line of another topic does not count; null if it does.
   *
   * @param incarnation the id of its topic's first line
   */
  public @Nullable Rejection check(Envelope line, String incarnation) {
    Topic topic = line.topic();
    byte[] bytes = line.toLine();
    long start = start(line, bytes);
    if (!isRequired || start < required.getOrDefault(topic.name(), 0L)) {
      return null;
    }
    LineSignature signature = LineSignature.of(bytes);
    if (signature == null) {
      return Rejection.UNSIGNED;
    }
    PublicKey key = keyAt(line.sender(), topic, start);
    if (key == null) {
      return Rejection.UNKNOWN_KEY;
    }
    if (!signature.isNear(start)) {
      return Rejection.STALE;
    }
    return signature.fits(key, topic, incarnation, bytes) ? null : Rejection.FORGED;
  }

  private @Nullable PublicKey keyAt(String agent, Topic topic, long start) {
    PublicKey found = null;
    for (Bound bound : agents.getOrDefault(agent, List.of())) {
      if (bound.countsAt(topic, start)) {
        found = bound.key;
      }
    }
    return found;
  }

  /** Where a line begins: its position is where its newline ends. */
  private static long start(Envelope line, byte[] bytes) {
    return line.position().value() - bytes.length - 1;
  }

  private static Map<String, Long> places(Map<String, Json> payload) {
    Map<String, Long> places = new LinkedHashMap<>();
    payload
        .getOrDefault("from", Json.EMPTY_OBJECT)
        .fields()
        .forEach((topic, place) -> places.put(topic, Math.max(0, place.number(0))));
    return places;
  }
}
