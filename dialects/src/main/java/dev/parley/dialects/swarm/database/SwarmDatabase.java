package dev.parley.dialects.swarm.database;

import dev.parley.core.ParleyException;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The database of one {@code .swarm} folder: sessions, and the messages kept under them.
 *
 * <p>A message keeps its own id and time, so it has the same name in files, log and database. Every
 * write is one transaction. A writer waits up to {@link #PATIENCE} for a locked database.
 *
 * <p>Used by one thread.
 */
public final class SwarmDatabase implements AutoCloseable {
  public static final String NAME = "memory.db";

  /** The workflows that a session may have. */
  public static final List<String> WORKFLOWS = List.of("research", "development", "architecture");

  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** SQLite's flag of that name. */
  private static final String READ_ONLY = "1";

  /** SQLite's codes for a database that another program is using now. */
  private static final Set<Integer> LOCKED = Set.of(5, 6);

  /** What a check of SQLite says if it finds nothing. */
  private static final String FINE = "ok";

  private static final String MESSAGES =
      "SELECT id, thread_id, from_agent, to_agent, message_type, priority, content, created_at,"
          + " requires_response, deadline FROM messages WHERE session_id = ? ";
  private static final String IN_ORDER = " ORDER BY created_at, rowid";

  private final Path file;
  private final Connection connection;

  private SwarmDatabase(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /**
   * Opens the database of a folder, or creates it.
   *
   * @throws ParleyException FAILED if it can't be used
   */
  public static SwarmDatabase open(Path swarm) {
    Path file = swarm.resolve(NAME);
    Connection connection = null;
    try {
      SafeFiles.createFile(file); // SQLite would create it readable for others
      Properties properties = new Properties();
      properties.setProperty("busy_timeout", String.valueOf(PATIENCE.toMillis()));
      properties.setProperty("foreign_keys", "true");
      connection = DriverManager.getConnection("jdbc:sqlite:" + file, properties);
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA journal_mode = WAL");
      }
      SwarmSchema.create(connection);
      return new SwarmDatabase(file, connection);
    } catch (SQLException | IOException e) {
      closeAfter(connection, e);
      throw trouble(file, e);
    }
  }

  /** What is damaged in the database of a folder; null if nothing is. Changes nothing. */
  public static @Nullable String damage(Path swarm) {
    Path file = swarm.resolve(NAME);
    if (Files.notExists(file)) {
      return null;
    }
    Properties properties = new Properties();
    properties.setProperty("open_mode", READ_ONLY);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file, properties);
        Statement statement = connection.createStatement();
        ResultSet said = statement.executeQuery("PRAGMA quick_check(1)")) {
      String first = said.next() ? said.getString(1) : FINE;
      return first.equals(FINE) ? null : first;
    } catch (SQLException e) {
      return LOCKED.contains(e.getErrorCode()) ? null : told(e);
    }
  }

  private static void closeAfter(@Nullable Connection connection, Exception failure) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private static ParleyException trouble(Path file, Exception cause) {
    return new ParleyException(
        ParleyException.Kind.FAILED,
        "database",
        file + " can't be used: " + told(cause) + ".",
        "Check for a program that keeps it locked, a full disk, or a damaged file. If you move the"
            + " file away, a new one is made.",
        cause);
  }

  private static String told(Exception cause) {
    String message = String.valueOf(cause.getMessage()).strip();
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  /** The current time in the format of Swarm's programs. */
  private static String now() {
    String time = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    return time.contains(".") ? time : time.replace("Z", ".000Z");
  }

  /**
   * Begins a session.
   *
   * @return its id
   * @throws ParleyException INVALID if the goal is blank or there is no such workflow
   */
  public String startSession(String goal, String workflow) {
    if (goal.isBlank()) {
      throw ParleyException.invalid(
          "no-goal", "A session needs a goal.", "Say what it is for: --goal \"…\"");
    }
    if (!WORKFLOWS.contains(workflow)) {
      throw ParleyException.invalid(
          "bad-workflow",
          "There is no workflow \"" + workflow + "\".",
          "Use one of " + String.join(", ", WORKFLOWS) + ".");
    }
    String id = UUID.randomUUID().toString();
    String time = now();
    write(
        "INSERT INTO sessions (id, workflow_type, goal, status, created_at, updated_at)"
            + " VALUES (?, ?, ?, 'running', ?, ?)",
        id,
        workflow,
        goal,
        time,
        time);
    return id;
  }

  /**
   * Ends a session.
   *
   * @return false if there is none with this id
   */
  public boolean endSession(String id, boolean failed) {
    String time = now();
    return write(
            "UPDATE sessions SET status = ?, updated_at = ?, completed_at = ? WHERE id = ?",
            failed ? "failed" : "complete",
            time,
            time,
            id)
        > 0;
  }

  /** All sessions, newest first. */
  public List<SwarmSession> sessions() {
    return read(
        "SELECT id, workflow_type, goal, status, created_at, completed_at,"
            + " (SELECT count(*) FROM messages WHERE session_id = sessions.id)"
            + " FROM sessions ORDER BY created_at DESC, rowid DESC",
        row ->
            new SwarmSession(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getLong(7)));
  }

  public boolean hasSession(String id) {
    return !read("SELECT 1 FROM sessions WHERE id = ?", row -> true, id).isEmpty();
  }

  /**
   * Checks that messages can be kept under a session. Does not create a database.
   *
   * @throws ParleyException REFUSED if there is no session with this id; FAILED if the database
   *     can't be read
   */
  public static void checkSession(Path swarm, String id) {
    Path file = swarm.resolve(NAME);
    boolean known = false;
    if (Files.exists(file)) {
      try (SwarmDatabase database = open(swarm)) {
        known = database.hasSession(id);
      }
    }
    if (!known) {
      throw ParleyException.refused(
          "unknown-session",
          "There is no session " + id + " in " + file + ". Nothing was done.",
          "parley session list shows them; parley session start --goal \"…\" begins one.");
    }
  }

  /** Keeps a message. A message that is kept already stays unchanged. */
  public void keep(String session, MessageRow message) {
    var _ =
        write(
            "INSERT INTO messages (id, session_id, thread_id, from_agent, to_agent, message_type,"
                + " priority, content, created_at, requires_response, deadline)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO NOTHING",
            message.id(),
            session,
            message.thread(),
            message.from(),
            message.to(),
            message.type(),
            message.priority(),
            message.content(),
            message.createdAt(),
            message.requiresResponse() ? "1" : "0",
            message.deadline());
  }

  /** All messages of a session, oldest first. */
  public List<MessageRow> messages(String session) {
    return read(MESSAGES + IN_ORDER, SwarmDatabase::message, session);
  }

  /** The messages of one conversation. */
  public List<MessageRow> thread(String session, String thread) {
    return read(MESSAGES + "AND thread_id = ?" + IN_ORDER, SwarmDatabase::message, session, thread);
  }

  /** The messages from or to one agent. A broadcast is to nobody in particular. */
  public List<MessageRow> ofAgent(String session, String agent) {
    return read(
        MESSAGES + "AND (from_agent = ? OR to_agent = ?)" + IN_ORDER,
        SwarmDatabase::message,
        session,
        agent,
        agent);
  }

  private static MessageRow message(ResultSet row) throws SQLException {
    return new MessageRow(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        "1".equals(row.getString(9)),
        row.getString(10));
  }

  private interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  private <T> List<T> read(String query, Row<T> each, String... values) {
    try (PreparedStatement statement = statement(query, values);
        ResultSet rows = statement.executeQuery()) {
      List<T> found = new ArrayList<>();
      while (rows.next()) {
        found.add(each.of(rows));
      }
      return found;
    } catch (SQLException e) {
      throw trouble(file, e);
    }
  }

  private int write(String change, @Nullable String... values) {
    try (PreparedStatement statement = statement(change, values)) {
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw trouble(file, e);
    }
  }

  private PreparedStatement statement(String text, @Nullable String... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text);
    for (int i = 0; i < values.length; i++) {
      statement.setString(i + 1, values[i]);
    }
    return statement;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw trouble(file, e);
    }
  }
}
