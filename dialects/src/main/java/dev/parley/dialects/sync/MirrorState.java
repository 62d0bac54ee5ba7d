package dev.parley.dialects.sync;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a mount and the log are in step: the fold of what its passes noted.
 *
 * <pre>
 * mount.synced   effect
 * -------------  ------------------------------------------------------------------------
 * files          the file was read up to this position; the last note counts
 * topics         the topic was pushed up to this position; the last note counts
 * residents      these agents use the foreign files
 * pulled         foreign message → envelope; the last {@link #REMEMBERED} are kept for replies
 * pushed         envelope → foreign message; kept likewise
 * taken, dropped an outbox entry was routed and is still there; it has left the outbox
 * waiting, gone  an entry is in an inbox; it has left the inbox
 * told           what the files last said about a lock, a task and so on; null removes it
 * announced      entries are about to be written through a temporary file; until settled
 * looked         the modification time of a file, in milliseconds, when it was last read;
 *                the last note counts
 * past           outbox entries that are not sent, because their recipients had handled them
 *                before the first pass; until they are dropped or recalled
 * recalled       an outbox entry that is to be sent whatever the other rules say
 * </pre>
 */
public final class MirrorState implements Fold {
  /** How many pairs of ids are kept each way, so that replies find the message they answer. */
  public static final int REMEMBERED = 1024;

  private static final String COPY_FOR = " for ";

  private final Map<String, FilePlace> files = new LinkedHashMap<>();
  private final Map<String, Long> topics = new LinkedHashMap<>();
  private final Set<String> residents = new LinkedHashSet<>();
  private final Map<String, Pair> pulled = new LinkedHashMap<>();
  private final Map<String, Pair> pushed = new LinkedHashMap<>();
  private final Set<String> taken = new LinkedHashSet<>();
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();
  private final Map<String, List<String>> announced = new LinkedHashMap<>();
  private final Map<String, String> told = new LinkedHashMap<>();
  private final Map<String, Long> looked = new LinkedHashMap<>();
  private final Set<String> past = new LinkedHashSet<>();
  private final Set<String> recalled = new LinkedHashSet<>();

  /** How far a file was read, and a hash of the bytes before that place. */
  public record FilePlace(long offset, String proof) {
    public static final FilePlace START = new FilePlace(0, "");
  }

  /** A foreign message and the envelope with the same content. */
  public record Pair(String foreign, String envelope, String sender, @Nullable String thread) {
    Json toJson() {
      return Json.object()
          .put("id", foreign)
          .put("envelope", envelope)
          .put("sender", sender)
          .put("thread", thread)
          .build();
    }

    static Pair of(Json json) {
      Fields fields = Fields.of(json);
      return new Pair(
          fields.text("id", ""),
          fields.text("envelope", ""),
          fields.text("sender", ""),
          fields.text("thread"));
    }
  }

  /** An entry in a foreign inbox, and its envelope. */
  public record Waiting(String foreign, String agent, String envelope) {
    Json toJson() {
      return Json.object().put("id", foreign).put("agent", agent).put("envelope", envelope).build();
    }

    static Waiting of(Json json) {
      Fields fields = Fields.of(json);
      return new Waiting(
          fields.text("id", ""), fields.text("agent", ""), fields.text("envelope", ""));
    }

    String key() {
      return agent + " " + foreign;
    }
  }

  /** The topic with a mount's notes. */
  public static Topic topicOf(String mount) {
    return new Topic("mount." + mount);
  }

  public static Fold.Kind<MirrorState> of(String mount) {
    return new Fold.Kind<>() {
      @Override
      public String view() {
        return "mount." + mount;
      }

      @Override
      public List<Topic> topics() {
        return List.of(topicOf(mount));
      }

      @Override
      public MirrorState begin() {
        return new MirrorState();
      }

      @Override
      public MirrorState load(Json saved) {
        MirrorState state = new MirrorState();
        state.note(Fields.of(saved));
        return state;
      }
    };
  }

  @Override
  public void apply(Envelope envelope, Position after) {
    if (envelope.isNative() && envelope.type().equals(MirrorTypes.SYNCED)) {
      note(Fields.of(envelope.payload()));
    }
  }

  private void note(Fields pass) {
    pass.object("files")
        .values()
        .forEach((file, place) -> {
          Fields fields = Fields.of(place);
          files.put(file, new FilePlace(fields.number("offset", 0), fields.text("proof", "")));
        });
    pass.object("topics").values().forEach((topic, at) -> topics.put(topic, at.number(0)));
    residents.addAll(pass.texts("residents"));
    for (Json item : pass.items("pulled")) {
      Pair pair = Pair.of(item);
      remember(pulled, pair.envelope, pair);
    }
    for (Json item : pass.items("pushed")) {
      Pair pair = Pair.of(item);
      remember(pushed, pair.foreign, pair);
    }
    taken.addAll(pass.texts("taken"));
    past.addAll(pass.texts("past"));
    for (String entry : pass.texts("recalled")) {
      past.remove(entry);
      recalled.add(entry);
    }
    for (String entry : pass.texts("dropped")) {
      taken.remove(entry);
      past.remove(entry);
      recalled.remove(entry);
    }
    pass.object("looked").values().forEach((file, at) -> looked.put(file, at.number(0)));
    for (Json item : pass.items("waiting")) {
      Waiting entry = Waiting.of(item);
      waiting.put(entry.key(), entry);
    }
    for (Json item : pass.items("announced")) {
      Fields fields = Fields.of(item);
      announced.put(fields.text("by", ""), fields.texts("ids"));
    }
    pass.texts("settled").forEach(announced::remove);
    for (Json item : pass.items("gone")) {
      waiting.remove(Waiting.of(item).key());
    }
    pass.object("told")
        .values()
        .forEach((about, what) -> {
          String text = what.text();
          if (text == null) {
            told.remove(about);
          } else {
            told.put(about, text);
          }
        });
  }

  private static void remember(Map<String, Pair> pairs, String key, Pair pair) {
    pairs.put(key, pair);
    if (pairs.size() > REMEMBERED) {
      pairs.remove(pairs.keySet().iterator().next());
    }
  }

  public FilePlace place(String file) {
    return files.getOrDefault(file, FilePlace.START);
  }

  public Position pushedTo(Topic topic) {
    return new Position(topics.getOrDefault(topic.name(), 0L));
  }

  public Set<String> residents() {
    return Collections.unmodifiableSet(residents);
  }

  /** Whether something was pushed under a foreign id recently. */
  public boolean isPushed(String foreign) {
    return pushed.containsKey(foreign);
  }

  /** What was pushed under a foreign id; null if nothing was, or too long ago. */
  public @Nullable Pair pushedAs(String foreign) {
    Pair exact = pushed.get(foreign);
    return exact != null ? exact : pushedBeginning(foreign + " ");
  }

  /** Finds an id that we made unique: where foreign ids repeat, ours end with a time. */
  private @Nullable Pair pushedBeginning(String start) {
    Pair last = null;
    for (Pair pair : pushed.values()) {
      last = pair.foreign.startsWith(start) ? pair : last;
    }
    return last;
  }

  /** The last message pushed in a conversation; null if there is none. */
  public @Nullable Pair pushedIn(String thread) {
    return pushedIn(thread, "");
  }

  /**
   * The last message pushed in a conversation, preferring this agent's copy of a message to
   * several.
   */
  @Nullable Pair pushedIn(String thread, String agent) {
    Pair last = null;
    for (Pair pair : pushed.values()) {
      boolean better = last == null || !isCopyOf(last, agent) || isCopyOf(pair, agent);
      last = thread.equals(pair.thread) && better ? pair : last;
    }
    return last;
  }

  private static boolean isCopyOf(Pair pair, String agent) {
    return pair.foreign.endsWith(COPY_FOR + agent);
  }

  /** The key of one copy of a message whose copies share one id in the files. */
  static String copyFor(String foreign, String agent) {
    return foreign + COPY_FOR + agent;
  }

  /** The id of an envelope in the foreign files; null if it is not there, or too long ago. */
  public @Nullable String foreignIdOf(String envelope) {
    Pair came = pulled.get(envelope);
    if (came != null) {
      return came.foreign;
    }
    for (Pair pair : pushed.values()) {
      if (pair.envelope.equals(envelope)) {
        return pair.foreign;
      }
    }
    return null;
  }

  /** The ids of the announced entries, by the temporary file through which they are written. */
  public Map<String, List<String>> announced() {
    return Collections.unmodifiableMap(announced);
  }

  static Json announcement(String by, List<String> ids) {
    return Json.object().put("by", by).put("ids", Json.ofStrings(ids)).build();
  }

  /** What the files know last about a subject; null if nothing. */
  public @Nullable String told(String about) {
    return told.get(about);
  }

  /** What the files know about subjects of one kind, by name. */
  public Map<String, String> toldOf(String kind) {
    Map<String, String> all = new LinkedHashMap<>();
    told.forEach((about, what) -> {
      if (about.startsWith(kind)) {
        all.put(about.substring(kind.length()), what);
      }
    });
    return all;
  }

  public Set<String> taken() {
    return Collections.unmodifiableSet(taken);
  }

  /** Outbox entries that were not sent because they are older than the mount. */
  public Set<String> past() {
    return Collections.unmodifiableSet(past);
  }

  /** Entries of {@link #past} that are to be sent after all. */
  public Set<String> recalled() {
    return Collections.unmodifiableSet(recalled);
  }

  /**
   * The modification time of a file when it was last read, in milliseconds; 0 if it was never read.
   */
  public long looked(String file) {
    return looked.getOrDefault(file, 0L);
  }

  public List<Waiting> waiting() {
    return List.copyOf(waiting.values());
  }

  @Override
  public Json save() {
    Json.ObjectBuilder places = Json.object();
    files.forEach((file, place) -> places.put(file, placeJson(place)));
    Json.ObjectBuilder positions = Json.object();
    topics.forEach(positions::put);
    Json.ObjectBuilder times = Json.object();
    looked.forEach((file, at) -> times.put(file, Json.of(at)));
    Json.ObjectBuilder tellings = Json.object();
    told.forEach(tellings::put);
    return Json.object()
        .put("files", places.build())
        .put("topics", positions.build())
        .put("residents", Json.ofStrings(List.copyOf(residents)))
        .put("pulled", Json.of(pulled.values().stream().map(Pair::toJson).toList()))
        .put("pushed", Json.of(pushed.values().stream().map(Pair::toJson).toList()))
        .put("taken", Json.ofStrings(new ArrayList<>(taken)))
        .put("past", Json.ofStrings(List.copyOf(past)))
        .put("recalled", Json.ofStrings(List.copyOf(recalled)))
        .put("looked", times.build())
        .put(
            "announced",
            Json.of(
                announced.entrySet().stream()
                    .map(entry -> announcement(entry.getKey(), entry.getValue()))
                    .toList()))
        .put("told", tellings.build())
        .put("waiting", Json.of(waiting.values().stream().map(Waiting::toJson).toList()))
        .build();
  }

  static Json placeJson(FilePlace place) {
    return Json.object().put("offset", place.offset).put("proof", place.proof).build();
  }
}
