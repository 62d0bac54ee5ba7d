package dev.parley.dialects.swarm.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Swarm's tables. Missing tables and columns are created.
 *
 * <p>Further columns have the names that role prompts ask for. A column that the table can compute
 * is generated; the others are for agents to fill. Swarm's own programs read rows by name and name
 * the columns they write, so further columns do not disturb them.
 */
final class SwarmSchema {
  private static final String OF_SESSION =
      "session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE";

  private static final List<String> TABLES =
      List.of(
          "sessions (id TEXT PRIMARY KEY, workflow_type TEXT NOT NULL, goal TEXT NOT NULL,"
              + " status TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,"
              + " completed_at TEXT)",
          "findings (id TEXT PRIMARY KEY, "
              + OF_SESSION
              + ", agent TEXT NOT NULL, claim TEXT NOT NULL, confidence TEXT NOT NULL,"
              + " sources TEXT NOT NULL, contradicting_evidence TEXT, verified_by TEXT,"
              + " verified_at TEXT, created_at TEXT NOT NULL)",
          "artifacts (id TEXT PRIMARY KEY, "
              + OF_SESSION
              + ", agent TEXT NOT NULL, artifact_type TEXT NOT NULL, filepath TEXT NOT NULL,"
              + " content TEXT, summary TEXT, version INTEGER NOT NULL DEFAULT 1,"
              + " review_status TEXT NOT NULL, created_at TEXT NOT NULL)",
          "decisions (id TEXT PRIMARY KEY, "
              + OF_SESSION
              + ", agent TEXT NOT NULL, decision TEXT NOT NULL, rationale TEXT NOT NULL,"
              + " alternatives_considered TEXT NOT NULL, created_at TEXT NOT NULL)",
          "tasks (id TEXT PRIMARY KEY, "
              + OF_SESSION
              + ", parent_task_id TEXT REFERENCES tasks(id) ON DELETE SET NULL,"
              + " assigned_to TEXT NOT NULL, status TEXT NOT NULL, priority TEXT NOT NULL,"
              + " description TEXT NOT NULL, input_data TEXT, output_data TEXT,"
              + " created_at TEXT NOT NULL, updated_at TEXT NOT NULL)",
          "messages (id TEXT PRIMARY KEY, "
              + OF_SESSION
              + ", thread_id TEXT, from_agent TEXT NOT NULL, to_agent TEXT NOT NULL,"
              + " message_type TEXT NOT NULL, priority TEXT NOT NULL, content TEXT NOT NULL,"
              + " created_at TEXT NOT NULL)",
          "checkpoints (id TEXT PRIMARY KEY, "
              + OF_SESSION
              + ", type TEXT NOT NULL, created_at TEXT NOT NULL, created_by TEXT NOT NULL,"
              + " workflow_state_json TEXT, agent_states_json TEXT, message_queue_json TEXT,"
              + " completed_stages_json TEXT, pending_stages_json TEXT, errors_json TEXT,"
              + " notes TEXT)",
          "error_log (id TEXT PRIMARY KEY, session_id TEXT, code TEXT NOT NULL,"
              + " category TEXT NOT NULL, severity TEXT NOT NULL, message TEXT NOT NULL,"
              + " details TEXT, component TEXT, agent_role TEXT, recoverable INTEGER NOT NULL,"
              + " recovered INTEGER NOT NULL, recovery_strategy TEXT, stack TEXT,"
              + " context_json TEXT, created_at TEXT NOT NULL)",
          "agent_activity (id INTEGER PRIMARY KEY AUTOINCREMENT, "
              + OF_SESSION
              + ", agent_role TEXT NOT NULL, event_type TEXT NOT NULL, details_json TEXT,"
              + " timestamp TEXT NOT NULL)");

  /** Table and column; the index of a column is named after both. */
  private static final List<String> INDEXES =
      List.of(
          "sessions status",
          "sessions created_at",
          "findings session_id",
          "findings verified_by",
          "artifacts session_id",
          "artifacts review_status",
          "decisions session_id",
          "tasks session_id",
          "tasks status",
          "tasks assigned_to",
          "messages session_id",
          "messages thread_id",
          "messages to_agent",
          "checkpoints session_id",
          "checkpoints created_at",
          "error_log session_id",
          "error_log severity",
          "error_log code",
          "agent_activity session_id",
          "agent_activity agent_role");

  /**
   * Table, column, and the expression it is generated from; a column without one is for agents to
   * fill. An expression that fails would make the row unreadable, so it first checks that the text
   * is JSON.
   */
  private static final List<List<String>> MORE =
      List.of(
          List.of("messages", "requires_response", ""),
          List.of("messages", "deadline", ""),
          List.of("messages", "type", "message_type"),
          List.of("messages", "subject", json("content", "$.subject")),
          List.of("messages", "verdict", json("content", "$.metadata.verdict")),
          List.of("messages", "task_id", json("content", "$.metadata.task_id")),
          List.of("sessions", "started_at", "created_at"),
          List.of("artifacts", "file_path", "filepath"),
          List.of("artifacts", "description", "summary"),
          List.of("artifacts", "status", "review_status"),
          List.of("findings", "methodology", ""),
          List.of("decisions", "alternatives", "alternatives_considered"),
          List.of("decisions", "constraints", ""),
          List.of("decisions", "domain", ""),
          List.of("tasks", "task_id", "id"),
          List.of("tasks", "thread_id", json("input_data", "$.threadId")),
          List.of("tasks", "blocker", json("output_data", "$.blocker")),
          List.of("agent_activity", "agent", "agent_role"),
          List.of("agent_activity", "status", "event_type"),
          List.of("agent_activity", "last_activity", "timestamp"));

  private SwarmSchema() {}

  private static String json(String column, String path) {
    return "CASE WHEN json_valid(%s) THEN json_extract(%s, '%s') END"
        .formatted(column, column, path);
  }

  /** Creates what is missing. Existing tables are not locked for that. */
  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.execute("CREATE TABLE IF NOT EXISTS " + table);
      }
      for (String index : INDEXES) {
        String[] words = index.split(" ", -1);
        statement.execute(
            "CREATE INDEX IF NOT EXISTS idx_%s_%s ON %s(%s)"
                .formatted(words[0], words[1], words[0], words[1]));
      }
      String last = "";
      Set<String> there = Set.of();
      for (List<String> more : MORE) {
        String table = more.getFirst();
        there = table.equals(last) ? there : columns(statement, table);
        last = table;
        if (!there.contains(more.get(1))) {
          add(statement, table, more.get(1), more.get(2));
        }
      }
    }
  }

  private static void add(Statement statement, String table, String column, String source)
      throws SQLException {
    String computed = source.isEmpty() ? "" : " GENERATED ALWAYS AS (" + source + ") VIRTUAL";
    try {
      statement.execute("ALTER TABLE " + table + " ADD COLUMN " + column + " TEXT" + computed);
    } catch (SQLException e) {
      if (!columns(statement, table).contains(column)) { // another process may have been faster
        throw e;
      }
    }
  }

  /** The columns of a table, including generated ones. */
  private static Set<String> columns(Statement statement, String table) throws SQLException {
    Set<String> names = new HashSet<>();
    try (ResultSet rows = statement.executeQuery("PRAGMA table_xinfo(" + table + ")")) {
      while (rows.next()) {
        names.add(rows.getString("name"));
      }
    }
    return names;
  }
}
