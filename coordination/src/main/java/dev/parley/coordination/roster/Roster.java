package dev.parley.coordination.roster;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.core.AgentName;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All agents that have joined, and the session that owns each name.
 *
 * <pre>
 * envelope    condition                                         effect
 * ----------  ------------------------------------------------  -----------------------------------
 * join        the name is free: nobody's, or its session left   the session has the name; whoever
 *             or is stale                                         had it before is superseded
 *             an agent of another tool has it, without a        as if the name were free
 *               session of its own
 *             it takes the name over (from rules 3 on)          as if the name were free
 *             the session has the name already                  role and abilities are replaced
 *             another session that is heard of has it           refused
 * heartbeat   the session has the name                          status, task, progress are replaced
 *             else                                              refused
 * leave       the session has the name                          the name is free
 *             else                                              refused
 * expect                                                        the names are known
 * </pre>
 *
 * A session is stale when the ledger's time is {@code staleAfter} past its last envelope.
 */
public final class Roster {
  private static final int LONGEST_TEXT = 500;

  private final Map<String, Member> members = new TreeMap<>();

  /** The names that are expected to join, each with the first line that named it. */
  private final Map<String, Long> expected = new TreeMap<>();

  /** No members. */
  public Roster() {}

  /** All agents that ever joined, by name. */
  public Collection<Member> members() {
    return Collections.unmodifiableCollection(members.values());
  }

  public @Nullable Member member(String name) {
    return members.get(name);
  }

  /** The session that has a name; null if none has. */
  public @Nullable String session(String name) {
    Member member = members.get(name);
    return member == null ? null : member.session();
  }

  /** The names that are expected to join. */
  public Set<String> expected() {
    return Collections.unmodifiableSet(expected.keySet());
  }

  /** Whether mail for this name has a recipient, now or later. */
  public boolean knows(String name) {
    return members.containsKey(name) || expected.containsKey(name);
  }

  /** All names that mail can be sent to. */
  public List<String> names() {
    Set<String> names = new TreeSet<>(expected.keySet());
    names.addAll(members.keySet());
    return new ArrayList<>(names);
  }

  /** A copy that later lines do not change. */
  public Roster copy() {
    Roster copy = new Roster();
    copy.members.putAll(members);
    copy.expected.putAll(expected);
    return copy;
  }

  /** Whether no agent of this name has joined with a session of its own. */
  public boolean isElsewhere(String name) {
    Member member = members.get(name);
    return member == null || member.isMounted();
  }

  /** Whether this session has the name. */
  public boolean owns(String name, String session) {
    Member member = members.get(name);
    return member != null && session.equals(member.session());
  }

  /**
   * Applies a line to the roster.
   *
   * @param mayTakeOver whether the rules let a session take a name over
   */
  public void apply(Request request, Duration staleAfter, boolean mayTakeOver) {
    Fields payload = request.payload();
    String name = request.name();
    String session = request.session();
    Instant now = request.now();
    switch (request.type()) {
      case LedgerTypes.JOIN -> join(request, staleAfter, mayTakeOver && payload.flag("takeOver"));
      case LedgerTypes.HEARTBEAT -> {
        Member member = members.get(name);
        if (member != null && owns(name, session)) {
          members.put(name, beat(member, payload, now));
        }
      }
      case LedgerTypes.LEAVE -> {
        Member member = members.get(name);
        if (member != null && owns(name, session)) {
          members.put(name, member.left(now, cut(payload.text("reason"))));
        }
      }
      case LedgerTypes.EXPECT ->
          payload.texts("names").stream()
              .filter(AgentName::isValid)
              .forEach(one -> expected.putIfAbsent(one, request.position()));
      default -> {
        Member member = members.get(name);
        if (member != null && owns(name, session)) {
          members.put(name, member.heard(now));
        }
      }
    }
  }

  private void join(Request request, Duration staleAfter, boolean takesOver) {
    String name = request.name();
    String session = request.session();
    Fields payload = request.payload();
    Instant now = request.now();
    if (session.isEmpty() || !AgentName.isValid(name)) {
      return;
    }
    Member before = members.get(name);
    Member own = before != null && session.equals(before.session()) ? before : null;
    if (before != null && own == null && !takesOver && !before.givesWay(now, staleAfter)) {
      return;
    }
    members.put(
        name,
        new Member(
            name,
            session,
            cut(payload.text("role")),
            payload.texts("can"),
            own == null ? now : own.joined(),
            now,
            own == null ? Status.RUNNING : own.status(),
            own == null ? null : own.task(),
            own == null ? -1 : own.progress(),
            own == null ? null : own.note(),
            own == null ? request.position() : own.position()));
  }

  private static Member beat(Member member, Fields payload, Instant now) {
    Status status = Status.find(payload.text("status", ""));
    return new Member(
        member.name(),
        member.session(),
        member.role(),
        member.can(),
        member.joined(),
        now,
        status == null ? member.status() : status,
        payload.json("task") == null ? member.task() : cut(payload.text("task")),
        Math.clamp(payload.number("progress", member.progress()), -1, 100),
        payload.json("note") == null ? member.note() : cut(payload.text("note")),
        member.position());
  }

  /**
   * The agent whose session got its name with a line; null if that session does not have it any
   * more.
   */
  public @Nullable Member joinedAt(long position) {
    for (Member member : members.values()) {
      if (member.position() == position && !member.hasLeft()) {
        return member;
      }
    }
    return null;
  }

  /** Ends the session of a member, because the line that gave it its name is undone. */
  public void undo(Member member, Instant now, String reason) {
    members.put(member.name(), member.left(now, cut(reason)));
  }

  /** Forgets the names that only a line made known; false if there were none. */
  public boolean undoExpected(long position) {
    return expected.values().removeIf(at -> at == position);
  }

  /** Cuts a text from an agent, because tables show it. */
  private static @Nullable String cut(@Nullable String text) {
    return text == null || text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }

  public void moveBack(Duration by) {
    members.replaceAll((name, member) -> member.movedBack(by));
  }

  public Json save() {
    return Json.object()
        .put("members", Json.of(members.values().stream().map(Member::save).toList()))
        .put("expected", Json.ofStrings(List.copyOf(expected.keySet())))
        .put("expectedAt", Json.of(expected.values().stream().map(Json::of).toList()))
        .build();
  }

  public static Roster load(Fields saved) {
    Roster roster = new Roster();
    for (Json item : saved.items("members")) {
      Member member = Member.load(Fields.of(item));
      roster.members.put(member.name(), member);
    }
    List<String> expected = saved.texts("expected");
    List<Json> positions = saved.items("expectedAt");
    for (int i = 0; i < expected.size(); i++) {
      roster.expected.put(expected.get(i), positions.get(i).number(0));
    }
    return roster;
  }
}
