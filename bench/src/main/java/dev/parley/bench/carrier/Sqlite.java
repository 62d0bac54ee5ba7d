package dev.parley.bench.carrier;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** A table in SQLite: write-ahead log, {@code synchronous=NORMAL}, a batch a transaction. */
public final class Sqlite implements Carrier {
  @Override
  public Sender sender(String place, int batch) throws SQLException {
    Connection database = DriverManager.getConnection("jdbc:sqlite:" + Path.of(place, "bus.db"));
    try (Statement setUp = database.createStatement()) {
      setUp.execute("PRAGMA journal_mode=WAL");
      setUp.execute("PRAGMA synchronous=NORMAL");
      setUp.execute(
          "CREATE TABLE IF NOT EXISTS line(id INTEGER PRIMARY KEY, topic TEXT, body BLOB)");
    }
    database.setAutoCommit(batch == 1);
    PreparedStatement insert =
        database.prepareStatement("INSERT INTO line(topic, body) VALUES('load', ?)");
    Text text = Text.line();
    return new Sender() {
      private int waiting;

      @Override
      public void send(long stamp) throws SQLException {
        insert.setBytes(1, text.stamp(stamp));
        insert.executeUpdate();
        if (batch > 1 && ++waiting == batch) {
          flush();
        }
      }

      @Override
      public void flush() throws SQLException {
        if (!database.getAutoCommit()) {
          database.commit();
        }
        waiting = 0;
      }

      @Override
      public void close() throws IOException {
        try {
          database.close();
        } catch (SQLException e) {
          throw new IOException(e);
        }
      }
    };
  }
}
