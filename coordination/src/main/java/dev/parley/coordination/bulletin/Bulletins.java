package dev.parley.coordination.bulletin;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Posts notices on bulletins, reads them, and carries them over from one wave to the next.
 *
 * <p>Safe for use by many threads.
 */
public final class Bulletins {
  /** How many discoveries are carried over: the latest ones. */
  public static final int CARRIED = 10;

  private final Log log;
  private final Views views;
  private final Reporter reporter;
  private final LedgerOwner owner;

  public Bulletins(Log log, Views views, Reporter reporter, LedgerOwner owner) {
    this.log = log;
    this.views = views;
    this.reporter = reporter;
    this.owner = owner;
  }

  /**
   * A post that was stored.
   *
   * @param overlaps the other agents that work on the paths of an intent
   */
  public record Posted(Stored stored, List<IntentConflict> overlaps) {}

  /** A notice, and the other agents that work on the paths of an intent. */
  public record Listed(Notice notice, List<IntentConflict> overlaps) {}

  /**
   * The notices that were carried over.
   *
   * @param already how many were there already
   */
  public record Carried(List<Notice> discoveries, List<Notice> warnings, int already) {}

  /**
   * The notices that were found in a text and posted.
   *
   * @param already how many the same agent had posted before
   */
  public record Scanned(
      List<Posted> posted,
      List<NoticeMarkers.Found> already,
      List<NoticeMarkers.Malformed> malformed) {}

  /** The waves that have a bulletin. */
  public List<String> waves() {
    return log.topics(new Prefix(new Topic("bulletin"))).stream()
        .filter(topic -> topic.name().startsWith("bulletin."))
        .map(Bulletin::wave)
        .sorted()
        .toList();
  }

  /** All notices on a wave's bulletin, in the order of their last post. */
  public List<Listed> notices(String wave) {
    List<Notice> notices = bulletin(wave).notices();
    return owner.look(ledger ->
        notices.stream()
            .map(notice -> new Listed(notice, IntentConflict.of(notice, notices, ledger)))
            .toList());
  }

  private Bulletin bulletin(String wave) {
    return new FoldReader<>(log, views, reporter, Bulletin.of(wave)).refresh();
  }

  /**
   * Posts a notice.
   *
   * @param paths the paths of an intent; if empty, those that its text names
   */
  public Posted post(
      Session session, String wave, Notice.Kind kind, String text, List<String> paths) {
    if (text.isBlank() || text.length() > Notice.LONGEST_TEXT) {
      throw ParleyException.invalid(
          "bad-notice",
          Json.object().put("characters", text.length()).put("most", Notice.LONGEST_TEXT));
    }
    Json.ObjectBuilder payload = Json.object().put("text", text);
    if (!paths.isEmpty()) {
      payload.put(
          "paths",
          Json.ofStrings(paths.stream().map(path -> PathPattern.of(path).toString()).toList()));
    }
    var _ = owner.present(session);
    Stored stored =
        append(wave, List.of(Message.of(session.name(), kind.type(), payload.build()))).getFirst();
    return new Posted(stored, overlaps(wave, stored.position().value()));
  }

  private List<IntentConflict> overlaps(String wave, long position) {
    return notices(wave).stream()
        .filter(listed -> listed.notice().position() == position)
        .flatMap(listed -> listed.overlaps().stream())
        .toList();
  }

  private List<Stored> append(String wave, List<Message> messages) {
    return log.append(Bulletin.topic(wave), messages);
  }

  /**
   * Carries the latest discoveries and all warnings of a wave over to another. A notice that came
   * from an earlier wave keeps its origin.
   */
  public Carried carry(Session session, String from, String to) {
    if (Bulletin.topic(from).equals(Bulletin.topic(to))) {
      throw ParleyException.invalid("same-wave", Json.object().put("wave", from));
    }
    List<Notice> notices = bulletin(from).notices();
    List<Notice> discoveries = of(notices, Notice.Kind.DISCOVERY);
    List<Notice> warnings = of(notices, Notice.Kind.WARNING);
    List<Notice> recent =
        discoveries.subList(Math.max(0, discoveries.size() - CARRIED), discoveries.size());
    Bulletin there = bulletin(to);
    List<Notice> wanted =
        Stream.concat(recent.stream(), warnings.stream())
            .filter(notice -> !there.has(notice.kind(), notice.text(), null))
            .toList();
    var _ = owner.present(session);
    if (!wanted.isEmpty()) {
      var _ = append(to, wanted.stream().map(notice -> context(session, from, notice)).toList());
    }
    return new Carried(
        of(wanted, Notice.Kind.DISCOVERY),
        of(wanted, Notice.Kind.WARNING),
        recent.size() + warnings.size() - wanted.size());
  }

  private static List<Notice> of(List<Notice> notices, Notice.Kind kind) {
    return notices.stream().filter(notice -> notice.kind() == kind).toList();
  }

  private static Message context(Session session, String wave, Notice notice) {
    Json payload =
        Json.object()
            .put("text", notice.text())
            .put("of", notice.kind().word())
            .put("wave", notice.wave() == null ? wave : notice.wave())
            .put("from", Json.ofStrings(notice.authors()))
            .put("count", notice.count())
            .build();
    return Message.builder(session.name(), BulletinTypes.CONTEXT)
        .payload(payload)
        .automatic(true)
        .build();
  }

  /** Posts the notices that are marked in a text, except those that the agent has posted before. */
  public Scanned scan(Session session, String wave, String text) {
    NoticeMarkers markers = NoticeMarkers.in(text);
    List<Posted> posted = new ArrayList<>();
    List<NoticeMarkers.Found> already = new ArrayList<>();
    for (NoticeMarkers.Found found : markers.found()) {
      if (bulletin(wave).has(found.kind(), found.text(), session.name())) {
        already.add(found);
      } else {
        posted.add(post(session, wave, found.kind(), found.text(), List.of()));
      }
    }
    return new Scanned(posted, already, markers.malformed());
  }
}
