package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.LedgerLimit;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.LeaseScope;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Status;
import dev.parley.core.AgentName;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Joins, leaves and heartbeats: appends a request to the ledger and returns the decision.
 *
 * <p>Safe for use by many threads.
 */
public final class Sessions {
  /** The name for everyone, and the sender of Parley's own messages. */
  private static final Set<String> RESERVED = Set.of("all", Bus.SYSTEM);

  private final LedgerOwner owner;

  public Sessions(LedgerOwner owner) {
    this.owner = owner;
  }

  /** What an agent states about itself when it joins. */
  public record Profile(@Nullable String role, List<String> can) {
    public static final Profile NONE = new Profile(null, List.of());
  }

  /** What an agent states about its work; null keeps the earlier value. */
  public record Beat(
      @Nullable Status status,
      @Nullable String task,
      @Nullable Integer progress,
      @Nullable String note) {
    public static final Beat ALIVE = new Beat(null, null, null, null);
  }

  /**
   * Gives the session its name.
   *
   * @throws ParleyException REFUSED if another live session has it; INVALID if the name is not
   *     allowed
   */
  public Member join(Session session, Profile profile) {
    return join(session, profile, false);
  }

  /**
   * As {@link #join(Session, Profile)}.
   *
   * @param takeOver whether to take the name from a live session, which ends that session
   */
  public Member join(Session session, Profile profile, boolean takeOver) {
    if (RESERVED.contains(session.name())) {
      throw ParleyException.invalid("reserved-name", Json.object().put("name", session.name()));
    }
    Member holder = owner.holder(session.name());
    if (holder != null && session.id().equals(holder.session())) {
      holder = null;
    }
    if (holder != null && !takeOver) {
      throw taken(holder.name(), holder.heard()); // saves a line that would be refused
    }
    Json.ObjectBuilder payload = Json.object().put("session", session.id());
    if (profile.role() != null) {
      payload.put("role", profile.role());
    }
    if (!profile.can().isEmpty()) {
      payload.put("can", Json.ofStrings(profile.can()));
    }
    if (holder != null) {
      payload.put("takeOver", true);
    }
    Outcome outcome = owner.decide(Message.of(session.name(), LedgerTypes.JOIN, payload.build()));
    if (outcome instanceof Outcome.Refused refused) {
      Instant heard = Fields.of(refused.details()).time("heard");
      throw taken(session.name(), heard == null ? owner.now() : heard);
    }
    return owner.lookAtLastKnown(ledger -> LedgerOwner.owner(ledger, session));
  }

  /**
   * The session that records what an agent did in mounted files: the agent's own if it has one,
   * otherwise one that stands for it.
   */
  public Session standIn(String mount, String name) {
    String id = owner.look(ledger -> Optional.ofNullable(ledger.roster().session(name)).orElse(""));
    if (!id.isEmpty()) {
      return Session.of(name, id);
    }
    Session session = Session.mounted(mount, name);
    var _ = join(session, Profile.NONE);
    return session;
  }

  /**
   * Records that a session goes on from another place.
   *
   * @param differences what is different there: worktree, terminal, container
   */
  public void resumed(Session session, List<String> differences, String tree) {
    Json.ObjectBuilder resumed =
        Json.object().put("differs", Json.ofStrings(differences)).put("tree", tree);
    owner.say(
        Message.builder(session.name(), LedgerTypes.HEARTBEAT)
            .payload(
                Json.object().put("session", session.id()).put("resumed", resumed.build()).build())
            .automatic(true)
            .build());
  }

  private ParleyException taken(String name, Instant heard) {
    Duration staleAfter = owner.lookAtLastKnown(Ledger::staleAfter);
    return ParleyException.refused(
        Ledger.NAME_TAKEN,
        Json.object()
            .put("name", name)
            .put("heard", Timestamps.format(owner.shown(heard)))
            .put("staleAfter", staleAfter.toSeconds()));
  }

  /** Whether a session has its name. */
  public boolean owns(Session session) {
    return owner.look(ledger -> ledger.roster().owns(session.name(), session.id()));
  }

  /**
   * Whether a session has its name. If it does, a heartbeat is written when one is due: every
   * action of an agent counts as a sign of life.
   */
  public boolean isAlive(Session session) {
    if (!owns(session)) {
      return false;
    }
    var _ = owner.present(session);
    return true;
  }

  /** Whether an agent of this name has joined at any time, or is expected. */
  public boolean knows(String name) {
    return owner.look(ledger -> ledger.roster().knows(name));
  }

  /** Ends a session; doing it twice does no harm. */
  public void leave(Session session, @Nullable String reason) {
    end(session.name(), session.id(), reason);
  }

  /** Ends a session by its id, because its process is certainly gone. */
  public void end(String name, String session, @Nullable String reason) {
    if (!owner.look(ledger -> ledger.roster().owns(name, session))) {
      return;
    }
    Json.ObjectBuilder payload = Json.object().put("session", session);
    if (reason != null) {
      payload.put("reason", reason);
    }
    owner.say(Message.of(name, LedgerTypes.LEAVE, payload.build()));
  }

  /**
   * Writes a heartbeat, with what the agent does.
   *
   * @throws ParleyException REFUSED if the session does not have its name any more
   */
  public Member heartbeat(Session session, Beat beat) {
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
    owner.say(
        Message.builder(session.name(), LedgerTypes.HEARTBEAT)
            .payload(payload.build())
            .automatic(beat.equals(Beat.ALIVE))
            .build());
    return owner.look(ledger -> LedgerOwner.owner(ledger, session));
  }

  /**
   * Declares that the ledger's time is ahead and ours is right: proposes to go back to our time, or
   * agrees to the proposal of another session. It takes two sessions, so that one bad clock can't
   * end what others hold.
   *
   * @return whether the ledger has gone back
   * @throws ParleyException REFUSED if the ledger is not ahead of us
   */
  public boolean resetClock(Session session) {
    var _ = owner.present(session);
    Instant now = owner.now();
    if (!owner.lookAtLastKnown(ledger -> isAhead(ledger.time(), now))) {
      throw ParleyException.refused("clock-is-right", Json.object());
    }
    owner.sayAsItIs(
        owner.lookAtLastKnown(ledger -> ledger.time().goBack(session.name(), session.id(), now)));
    return owner.look(ledger -> !isAhead(ledger.time(), now));
  }

  private static boolean isAhead(FoldTime time, Instant now) {
    Instant ledgers = time.now();
    return ledgers != null && ledgers.isAfter(now.plus(FoldTime.REACH));
  }

  /** Makes names known before their agents join. */
  public void expect(String sender, List<String> names) {
    names.forEach(AgentName::new);
    owner.say(
        Message.of(
            sender, LedgerTypes.EXPECT, Json.object().put("names", Json.ofStrings(names)).build()));
  }

  /** Sets the cover of leases that do not name one. */
  public void leasesCover(String sender, LeaseScope cover) {
    owner.say(LedgerOwner.rules(sender, Json.object().put("leases", cover.word())));
  }

  /**
   * Sets how long a task's owner may be silent before its claim ends.
   *
   * @throws ParleyException INVALID if that duration is out of range
   */
  public void claimsOutlast(String sender, Duration silence) {
    checkSilence(silence);
    owner.say(LedgerOwner.rules(sender, Json.object().put("claimAfter", silence.toSeconds())));
  }

  /** Sets one limit of the ledger; the others stay as they are. */
  public void limit(String sender, LedgerLimit bound, long most) {
    Json limits = Json.object().put(bound.field(), most).build();
    owner.say(LedgerOwner.rules(sender, Json.object().put("limits", limits)));
  }

  /** Sets how long a session may be silent before its name is free. */
  public void staleAfter(String sender, Duration silence) {
    checkSilence(silence);
    owner.say(LedgerOwner.rules(sender, silence));
  }

  private static void checkSilence(Duration silence) {
    if (silence.compareTo(Ledger.LEAST_STALE) < 0 || silence.compareTo(Ledger.MOST_STALE) > 0) {
      throw ParleyException.invalid(
          "bad-stale-after", Json.object().put("seconds", silence.toSeconds()));
    }
  }
}
