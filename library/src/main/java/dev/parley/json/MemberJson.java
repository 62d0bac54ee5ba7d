package dev.parley.json;

import dev.parley.coordination.ledger.Member;
import dev.parley.core.json.Json;

/** Who is on the bus. */
public final class MemberJson {
  private MemberJson() {}

  /**
   * One who has joined.
   *
   * @param presence in a word, such as {@code here}
   */
  public static Json of(Member member, String presence, LedgerTimes times) {
    return Json.object()
        .put("agent", member.name())
        .put("presence", presence)
        .put("status", member.status().name())
        .put("role", member.role())
        .put("can", Json.ofStrings(member.can()))
        .put("task", member.task())
        .put("progress", member.progress())
        .put("note", member.note())
        .put("heard", times.written(member.heard()))
        .put("session", member.session())
        .build();
  }

  /** One who is expected and has not joined. */
  public static Json expected(String name) {
    return Json.object().put("agent", name).put("presence", "expected").build();
  }
}
