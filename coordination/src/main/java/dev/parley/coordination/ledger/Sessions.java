package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.FoldTime;
import dev.parley.core.AgentName;
import dev.parley.core.Bus;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Timestamps;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Joins, leaves and heartbeats: appends to the ledger and answers from what it has come to.
 *
 * <p>Safe for use by many threads.
 */
public final class Sessions {
  /** Everyone, and what Parley itself writes. */
  private static final Set<String> RESERVED = Set.of("all", Bus.SYSTEM);

  private final Clerk clerk;

  public Sessions(Clerk clerk) {
    this.clerk = clerk;
  }

  /** What an agent says of itself when it joins. */
  public record Profile(@Nullable String role, List<String> can) {
    public static final Profile NONE = new Profile(null, List.of());
  }

  /** What an agent says of what it does; null leaves as it was. */
  public record Beat(
      @Nullable Status status,
      @Nullable String task,
      @Nullable Integer progress,
      @Nullable String note) {
    public static final Beat ALIVE = new Beat(null, null, null, null);
  }

  /** The ledger as it is now. It must not be kept while others use this. */
  public Ledger ledger() {
    return clerk.ledger();
  }

  /** What time it is in the ledger. */
  public Instant now() {
    return clerk.now();
  }

  /** What the wall clock says. */
  public Instant wall() {
    return clerk.wall();
  }

  /**
   * Gives the session its name.
   *
   * @throws ParleyException REFUSED if another session that is heard of has it; INVALID if it is a
   *     name that nobody can have
   */
  public synchronized Member join(Session session, Profile profile) {
    if (RESERVED.contains(session.name())) {
      throw ParleyException.invalid(
          "reserved-name",
          "Nobody can be called " + session.name() + ": the name has a meaning of its own.",
          "Use another name.");
    }
    clerk.begin(session.name());
    Ledger before = clerk.ledger();
    Member owner = before.roster().member(session.name());
    boolean own = owner != null && session.id().equals(owner.session());
    if (owner != null && !own && !owner.givesWay(clerk.latest(before), before.staleAfter())) {
      throw taken(owner, before.staleAfter(), clerk.shown(owner.heard()));
    }
    Json.ObjectBuilder payload = Json.object().put("session", session.id());
    if (profile.role() != null) {
      payload.put("role", profile.role());
    }
    if (!profile.can().isEmpty()) {
      payload.put("can", Json.ofStrings(profile.can()));
    }
    clerk.append(Message.of(session.name(), LedgerTypes.JOIN, payload.build()));
    Ledger after = clerk.ledger();
    after.checkRules();
    Member member = after.roster().member(session.name());
    if (member == null) {
      throw new IllegalStateException("a join that is in the ledger has no effect");
    }
    if (!session.id().equals(member.session())) {
      throw taken(member, after.staleAfter(), clerk.shown(member.heard()));
    }
    return member;
  }

  /**
   * The session by which something is said in the name of an agent that did it in mounted files:
   * its own if it has one, otherwise one that stands for it.
   */
  public synchronized Session standIn(String mount, String name) {
    Member member = clerk.ledger().roster().member(name);
    String id = member == null ? null : member.session();
    if (id != null) {
      return Session.of(name, id);
    }
    Session session = Session.mounted(mount, name);
    var _ = join(session, Profile.NONE);
    return session;
  }

  private static ParleyException taken(Member owner, Duration staleAfter, Instant heard) {
    return ParleyException.refused(
        "name-taken",
        owner.name()
            + " is here already: another session has this name, last heard of at "
            + Timestamps.format(heard)
            + ".",
        "Use another name, or let that one leave (parley leave); after "
            + staleAfter.toSeconds()
            + " s of silence the name is free.");
  }

  /** Ends a session; doing it twice does no harm. */
  public synchronized void leave(Session session, @Nullable String reason) {
    end(session.name(), session.id(), reason);
  }

  /** Ends a session of which only the id is known, because whoever ran it is certainly gone. */
  public synchronized void end(String name, String session, @Nullable String reason) {
    if (!clerk.ledger().roster().owns(name, session)) {
      return;
    }
    clerk.begin(name);
    Json.ObjectBuilder payload = Json.object().put("session", session);
    if (reason != null) {
      payload.put("reason", reason);
    }
    clerk.append(Message.of(name, LedgerTypes.LEAVE, payload.build()));
  }

  /**
   * Says that a session lives, and what it does.
   *
   * @throws ParleyException REFUSED if the session does not have its name any more
   */
  public synchronized Member heartbeat(Session session, Beat beat) {
    clerk.begin(session.name());
    Json.ObjectBuilder payload = Json.object().put("session", session.id());
    if (beat.status() != null) {
      payload.put("status", beat.status().name());
    }
    if (beat.task() != null) {
      payload.put("task", beat.task());
    }
    if (beat.progress() != null) {
      payload.put("progress", beat.progress());
    }
    if (beat.note() != null) {
      payload.put("note", beat.note());
    }
    clerk.append(
        Message.builder(session.name(), LedgerTypes.HEARTBEAT)
            .payload(payload.build())
            .automatic(beat.equals(Beat.ALIVE))
            .build());
    return Clerk.owner(clerk.ledger(), session);
  }

  /**
   * Checks that a session has its name, and says now and then that it lives.
   *
   * @throws ParleyException REFUSED if the session does not have its name any more
   */
  public Ledger present(Session session) {
    return clerk.present(session);
  }

  /**
   * Says that the ledger's time is wrong, and ours is right: proposes to go back to it, or agrees
   * to what another session has proposed. It takes two, so that one bad clock takes nothing away.
   *
   * @return whether the ledger has gone back
   * @throws ParleyException REFUSED if it is not ahead of us
   */
  public synchronized boolean resetClock(Session session) {
    FoldTime time = present(session).time();
    Instant now = clerk.now();
    if (!isAhead(time, now)) {
      throw ParleyException.refused(
          "clock-is-right",
          "The ledger's time is not ahead of yours.",
          "There is nothing to set back.");
    }
    clerk.append(time.goBack(session.name(), session.id(), now));
    return !isAhead(clerk.ledger().time(), now);
  }

  private static boolean isAhead(FoldTime time, Instant now) {
    Instant ledgers = time.now();
    return ledgers != null && ledgers.isAfter(now.plus(FoldTime.REACH));
  }

  /** Makes names known whose owners have not joined yet. */
  public synchronized void expect(String sender, List<String> names) {
    names.forEach(AgentName::new);
    clerk.begin(sender);
    clerk.append(
        Message.of(
            sender, LedgerTypes.EXPECT, Json.object().put("names", Json.ofStrings(names)).build()));
  }

  /** Sets how long a session may be silent before its name is free. */
  public synchronized void staleAfter(String sender, Duration silence) {
    if (silence.compareTo(Ledger.LEAST_STALE) < 0 || silence.compareTo(Ledger.MOST_STALE) > 0) {
      throw ParleyException.invalid(
          "bad-stale-after",
          "A session can't be called stale after " + silence.toSeconds() + " s.",
          "Use 1 second to 365 days.");
    }
    clerk.begin(sender);
    clerk.append(Clerk.rules(sender, silence));
  }
}
