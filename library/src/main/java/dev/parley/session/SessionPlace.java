package dev.parley.session;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place from which a session is used.
 *
 * @param anchor the process that stays there
 * @param host the host session there; null if there is none
 * @param tree the working tree
 * @param terminal the controlling terminal; 0 if there is none
 * @param machine the name of the machine or container
 * @param binds whether commands from there without a name act for this agent
 */
record SessionPlace(
    ProcessKey anchor,
    @Nullable HostSession host,
    String tree,
    long terminal,
    String machine,
    boolean binds) {

  /** The stable names of what differs from another place. */
  List<String> differencesFrom(SessionPlace other) {
    List<String> differences = new ArrayList<>();
    if (!tree.equals(other.tree)) {
      differences.add("worktree");
    }
    if (terminal != other.terminal) {
      differences.add("terminal");
    }
    if (!machine.equals(other.machine)) {
      differences.add("container");
    }
    return differences;
  }

  String write() {
    Json.ObjectBuilder json = Json.object();
    if (host != null) {
      json.put("variable", host.variable()).put("host", host.id());
    }
    return json.put("tree", tree)
        .put("terminal", terminal)
        .put("machine", machine)
        .put("binds", binds)
        .build()
        .toString();
  }

  /** Reads a saved place tolerantly: the file may be damaged. */
  static SessionPlace read(ProcessKey anchor, @Nullable String text) {
    Fields fields = Fields.of(Json.EMPTY_OBJECT);
    try {
      fields = text == null ? fields : Fields.of(Json.parse(text));
    } catch (JsonException e) {
      // Only the process is known then.
    }
    String variable = fields.text("variable");
    String id = fields.text("host");
    return new SessionPlace(
        anchor,
        variable == null || id == null ? null : new HostSession(variable, id),
        fields.text("tree", ""),
        fields.number("terminal", 0),
        fields.text("machine", ""),
        fields.flag("binds"));
  }
}
