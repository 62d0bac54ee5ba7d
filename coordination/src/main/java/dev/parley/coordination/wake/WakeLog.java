package dev.parley.coordination.wake;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Reporter;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records how one agent is woken; for the program that wakes it.
 *
 * <p>Safe for use by many threads.
 */
public final class WakeLog {
  private static final int MOST_IDS = 32;

  private final Session session;
  private final LedgerOwner owner;
  private final Log log;
  private final Views views;
  private final Reporter reporter;
  private final FoldReader<Wakes> own;

  public WakeLog(Session session, LedgerOwner owner, Log log, Views views, Reporter reporter) {
    this.session = session;
    this.owner = owner;
    this.log = log;
    this.views = views;
    this.reporter = reporter;
    this.own = new FoldReader<>(log, views, reporter, Wakes.of(session.name()));
  }

  /** The wakes of any agent; needs no session. */
  public static Wakes look(String agent, Log log, Views views, Reporter reporter) {
    return new FoldReader<>(log, views, reporter, Wakes.of(agent)).refresh();
  }

  /** The wakes of this agent, brought up to date. */
  public synchronized Wakes now() {
    return own.refresh();
  }

  /**
   * States how the agent can be woken from now on, unless the log says so already.
   *
   * @param why a code, if there is no way; null otherwise
   */
  public synchronized void way(String host, WakeWay way, @Nullable String why) {
    Wakes known = own.refresh();
    boolean isSame =
        way == known.way() && host.equals(known.host()) && Objects.equals(why, known.why());
    if (!isSame) {
      Json payload = Json.object().put("host", host).put("way", way.word()).put("why", why).build();
      var _ = append(WakeTypes.WAY, payload);
    }
  }

  /** How long it is until this mail may wake the agent; null if there is no way. */
  public synchronized @Nullable Duration untilAllowed(Collection<ReceivedMail> mail) {
    Wakes known = own.refresh();
    List<String> from = senders(mail);
    Instant now = known.present(log.clock().now(), owner.wall());
    Wakes.Refusal refusal = known.refusal(from, isMutual(from, known), now);
    if (refusal == null) {
      return Duration.ZERO;
    }
    Instant until = refusal.until();
    return until == null ? null : Duration.between(now, until);
  }

  /** Requests a wake. The order of the log decides whether it is granted or refused. */
  public synchronized Wake request(Collection<ReceivedMail> mail) {
    List<String> from = senders(mail);
    List<String> ids = mail.stream().map(letter -> letter.entry().id()).toList();
    Json payload =
        Json.object()
            .put("from", Json.ofStrings(from))
            .put(
                "mail", Json.ofStrings(ids.subList(Math.max(0, ids.size() - MOST_IDS), ids.size())))
            .put("mutual", isMutual(from, own.refresh()))
            .build();
    Position position = append(WakeTypes.REQUEST, payload);
    Wake wake = own.refreshThrough(Wakes.topic(session.name()), position).at(position.value());
    if (wake == null) {
      throw new IllegalStateException("the request at " + position + " was not folded");
    }
    return wake;
  }

  /** Records that the host has taken the notice. */
  public synchronized void delivered(Wake wake) {
    var _ = append(WakeTypes.DELIVERED, Json.object().put("request", wake.position()).build());
  }

  /**
   * Records that the agent could not be woken.
   *
   * @param why a code
   */
  public synchronized void failed(Wake wake, String why) {
    var _ =
        append(
            WakeTypes.FAILED,
            Json.object().put("request", wake.position()).put("why", why).build());
  }

  /** The ids of the mail of the last wake, if the agent did not act on it in time; else none. */
  public synchronized List<String> missed() {
    Wakes known = own.refresh();
    Wake last = known.last();
    return last != null && known.isInVain(last, known.present(log.clock().now(), owner.wall()))
        ? last.mail()
        : List.of();
  }

  /** Records that the agent has acted, which proves that the last wake worked. */
  public synchronized void acted() {
    Wake last = own.refresh().last();
    if (last != null && last.state() == WakeState.DELIVERED) {
      var _ = append(WakeTypes.WOKEN, Json.object().put("request", last.position()).build());
    }
  }

  public synchronized void setLimits(WakeLimits limits) {
    var _ = append(WakeTypes.LIMITS, limits.toJson());
  }

  private static List<String> senders(Collection<ReceivedMail> mail) {
    return mail.stream().map(letter -> letter.entry().from()).distinct().toList();
  }

  /** Whether this agent's mail has lately woken every sender whose mail now wakes it. */
  private boolean isMutual(List<String> from, Wakes known) {
    Duration lately = known.limits().time(WakeLimit.PAIR_PAUSE);
    return !from.isEmpty() && from.stream().allMatch(sender -> wasWokenByUs(sender, lately));
  }

  private boolean wasWokenByUs(String sender, Duration lately) {
    Wakes theirs = look(sender, log, views, reporter);
    Instant since = theirs.present(log.clock().now(), owner.wall()).minus(lately);
    return theirs.all().stream()
        .anyMatch(wake ->
            wake.wasGranted()
                && wake.from().contains(session.name())
                && wake.requested().isAfter(since));
  }

  private Position append(String type, Json payload) {
    Message message =
        Message.builder(session.name(), type).payload(payload).automatic(true).build().withClock();
    return log.append(Wakes.topic(session.name()), List.of(message)).getFirst().position();
  }
}
