package dev.parley.bench.agent;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.coordination.Team;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.core.bus.Bus;
import dev.parley.core.store.Views;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/**
 * Takes a lock and gives it back, again and again.
 *
 * <pre>
 * parley folder count   done nanos    the lock service on a file log
 * sqlite folder count   done nanos    one row a lock: insert, delete
 * redis port count      done nanos    SET NX PX, and a script that deletes what is one's own
 * </pre>
 */
public final class Locking implements Role {
  private static final String PATH = "src/main/java/Main.java";
  private static final String RELEASE =
      "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0"
          + " end";

  private interface Pair {
    void lockAndUnlock() throws Exception;
  }

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    String place = cue.word();
    int count = cue.number();
    switch (what) {
      case "parley" -> {
        try (Bus bus = ParleyCarrier.open(place, new ParleyCarrier.Reports())) {
          Team team = new Team(bus.log(), Views.inMemory(), new ParleyCarrier.Reports());
          Locks locks = team.locks(team.join("ann"));
          LockRequest wanted = LockRequest.of(PATH);
          time(count, stage, () -> locks.release(locks.lock(wanted).token()));
        }
      }
      case "sqlite" -> sqlite(place, count, stage);
      default -> {
        try (Jedis redis = new Jedis("127.0.0.1", Integer.parseInt(place), 0)) {
          SetParams params = SetParams.setParams().nx().px(30 * 60 * 1000L);
          time(
              count,
              stage,
              () -> {
                check(redis.set(PATH, "ann", params) != null);
                check(redis.eval(RELEASE, List.of(PATH), List.of("ann")).equals(1L));
              });
        }
      }
    }
  }

  private static void sqlite(String place, int count, Stage stage) throws Exception {
    try (Connection database =
        DriverManager.getConnection("jdbc:sqlite:" + Path.of(place, "locks.db"))) {
      try (Statement setUp = database.createStatement()) {
        setUp.execute("PRAGMA journal_mode=WAL");
        setUp.execute("PRAGMA synchronous=NORMAL");
        setUp.execute(
            "CREATE TABLE IF NOT EXISTS lock(path TEXT PRIMARY KEY, holder TEXT, until INTEGER)");
      }
      try (PreparedStatement insert = database.prepareStatement("INSERT INTO lock VALUES(?,?,?)");
          PreparedStatement delete =
              database.prepareStatement("DELETE FROM lock WHERE path=? AND holder=?")) {
        time(count, stage, () -> pair(insert, delete));
      }
    }
  }

  private static void pair(PreparedStatement insert, PreparedStatement delete) throws SQLException {
    insert.setString(1, PATH);
    insert.setString(2, "ann");
    insert.setLong(3, System.currentTimeMillis() + 30 * 60 * 1000L);
    check(insert.executeUpdate() == 1);
    delete.setString(1, PATH);
    delete.setString(2, "ann");
    check(delete.executeUpdate() == 1);
  }

  private static void check(boolean done) {
    if (!done) {
      throw new IllegalStateException("the lock was not granted or not released");
    }
  }

  /**
   * As many before the time is taken: a new folder takes other ways at first, for which the JVM
   * throws away part of what it had compiled for the last one.
   */
  private static void time(int count, Stage stage, Pair pair) throws Exception {
    repeat(count, pair);
    long from = System.nanoTime();
    repeat(count, pair);
    stage.say("done", System.nanoTime() - from);
  }

  private static void repeat(int count, Pair pair) throws Exception {
    for (int i = 0; i < count; i++) {
      pair.lockAndUnlock();
    }
  }
}
