package dev.parley.coordination.bulletin;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The notices on the bulletin of a wave.
 *
 * <pre>
 * envelope                           effect
 * ---------------------------------  ---------------------------------------------------------------
 * board.discovery, .warning          a notice; if the same is there already, it is counted
 * board.intent                       the same, but what two agents intend are two notices
 * board.context                      a notice of its own kind
 * board.context with {@code of}      the discovery or warning that it was in its own wave; it is
 *                                      counted there, not here
 * anything else, or without a text   nothing
 * </pre>
 *
 * Two texts are the same if they differ in white space and case only. Nothing is decided here, so
 * foreign lines count like others.
 */
public final class Bulletin implements Fold {
  private static final String PREFIX = "bulletin.";
  private static final int MOST_CARRIED = 1_000_000;

  private final SequencedMap<String, Notice> notices = new LinkedHashMap<>();

  /** No notices. */
  public Bulletin() {}

  /**
   * The topic of a wave's bulletin.
   *
   * @throws dev.parley.core.ParleyException INVALID if the name of the wave is not allowed
   */
  public static Topic topic(String wave) {
    return new Topic(PREFIX + wave);
  }

  /** The wave whose bulletin is in a topic. */
  static String wave(Topic topic) {
    return topic.name().substring(PREFIX.length());
  }

  public static Fold.Kind<Bulletin> of(String wave) {
    Topic topic = topic(wave);
    return new Fold.Kind<>() {
      @Override
      public String view() {
        return topic.name();
      }

      @Override
      public List<Topic> topics() {
        return List.of(topic);
      }

      @Override
      public Bulletin begin() {
        return new Bulletin();
      }

      @Override
      public Bulletin load(Json saved) {
        Bulletin bulletin = new Bulletin();
        saved.items().forEach(item -> bulletin.put(Notice.load(Fields.of(item))));
        return bulletin;
      }
    };
  }

  /** All notices, in the order of their last post. */
  public List<Notice> notices() {
    return List.copyOf(notices.values());
  }

  /** Whether the same notice is there already; if an author is named, by that author. */
  public boolean has(Notice.Kind kind, String text, @Nullable String author) {
    Notice there = notices.get(key(kind, text, author));
    return there != null && (author == null || there.authors().contains(author));
  }

  @Override
  public void apply(Envelope envelope, Position after) {
    Notice.Kind kind = Notice.Kind.ofType(envelope.type());
    Fields payload = Fields.of(envelope.payload());
    String text = payload.text("text", Notice.LONGEST_TEXT);
    if (kind == null || text == null || text.isBlank()) {
      return;
    }
    Notice.Kind of = kind == Notice.Kind.CONTEXT ? Notice.Kind.find(payload.text("of", "")) : null;
    boolean carried = of == Notice.Kind.DISCOVERY || of == Notice.Kind.WARNING;
    List<PathPattern> named = PathMentions.of(payload.texts("paths"));
    put(
        new Notice(
            carried && of != null ? of : kind,
            text,
            carried
                ? payload.texts("from", Notice.MOST_AUTHORS, AgentName.MAX_NAME)
                : List.of(envelope.sender()),
            carried ? 0 : 1,
            carried ? Math.clamp(payload.number("count", 1), 1, MOST_CARRIED) : 0,
            carried ? payload.text("wave", Topic.MAX_NAME) : null,
            kind != Notice.Kind.INTENT
                ? List.of()
                : named.isEmpty() ? PathMentions.in(text) : named,
            envelope.position().value(),
            StoredTimes.kept(envelope.time())));
  }

  private void put(Notice notice) {
    String author = notice.authors().isEmpty() ? null : notice.authors().getFirst();
    String key = key(notice.kind(), notice.text(), author);
    Notice before = notices.remove(key);
    notices.put(key, before == null ? notice : before.with(notice));
  }

  private static String key(Notice.Kind kind, String text, @Nullable String author) {
    String owner = kind == Notice.Kind.INTENT ? String.valueOf(author) : "";
    String same = text.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    return kind + " " + owner + " " + same;
  }

  @Override
  public Json save() {
    return Json.of(notices.values().stream().map(Notice::save).toList());
  }
}
