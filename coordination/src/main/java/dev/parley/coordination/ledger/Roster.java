package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Request;
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
 * Who is here. A name belongs to a session.
 *
 * <pre>
 * envelope    condition                                         effect
 * ----------  ------------------------------------------------  -----------------------------------
 * join        the name is free: nobody's, or its session left   the session has the name; whoever
 *             or is stale                                         had it before is superseded
 *             an agent of another tool has it, without a        as if the name were free
 *               session of its own
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
  private final Set<String> expected = new TreeSet<>();

  /** Everyone who has ever joined, by name. */
  public Collection<Member> members() {
    return Collections.unmodifiableCollection(members.values());
  }

  public @Nullable Member member(String name) {
    return members.get(name);
  }

  /** The session that has a name; null if none does. */
  @Nullable String session(String name) {
    Member member = members.get(name);
    return member == null ? null : member.session();
  }

  /** Names that someone expects to join. */
  public Set<String> expected() {
    return Collections.unmodifiableSet(expected);
  }

  /** Whether mail for this name will find somebody, now or later. */
  public boolean knows(String name) {
    return members.containsKey(name) || expected.contains(name);
  }

  /** Every name mail can be sent to. */
  public List<String> names() {
    Set<String> names = new TreeSet<>(expected);
    names.addAll(members.keySet());
    return new ArrayList<>(names);
  }

  /** Whether nobody of this name was ever on the bus itself. */
  public boolean isElsewhere(String name) {
    Member member = members.get(name);
    return member == null || member.isMounted();
  }

  /** Whether this session has the name. */
  public boolean owns(String name, String session) {
    Member member = members.get(name);
    return member != null && session.equals(member.session());
  }

  void apply(Request request, Duration staleAfter) {
    Fields payload = request.payload();
    String name = request.name();
    String session = request.session();
    Instant now = request.now();
    switch (request.type()) {
      case LedgerTypes.JOIN -> join(name, session, payload, now, staleAfter);
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
          payload.texts("names").stream().filter(AgentName::isValid).forEach(expected::add);
      default -> {
        Member member = members.get(name);
        if (member != null && owns(name, session)) {
          members.put(name, member.heard(now));
        }
      }
    }
  }

  private void join(String name, String session, Fields payload, Instant now, Duration staleAfter) {
    if (session.isEmpty() || !AgentName.isValid(name)) {
      return;
    }
    Member before = members.get(name);
    Member own = before != null && session.equals(before.session()) ? before : null;
    if (before != null && own == null && !before.givesWay(now, staleAfter)) {
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
            own == null ? null : own.note()));
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
        payload.json("note") == null ? member.note() : cut(payload.text("note")));
  }

  /** What others wrote is kept short: it is shown in tables. */
  private static @Nullable String cut(@Nullable String text) {
    return text == null || text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }

  void moveBack(Duration by) {
    members.replaceAll((name, member) -> member.movedBack(by));
  }

  Json save() {
    return Json.object()
        .put("members", Json.of(members.values().stream().map(Member::save).toList()))
        .put("expected", Json.ofStrings(List.copyOf(expected)))
        .build();
  }

  static Roster load(Fields saved) {
    Roster roster = new Roster();
    for (Json item : saved.items("members")) {
      Member member = Member.load(Fields.of(item));
      roster.members.put(member.name(), member);
    }
    roster.expected.addAll(saved.texts("expected"));
    return roster;
  }
}
