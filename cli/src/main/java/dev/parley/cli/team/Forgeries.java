package dev.parley.cli.team;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.WholeTopic;
import dev.parley.core.writer.WriterId;
import dev.parley.core.writer.WriterKey;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds lines of the ledger that speak for a session and that it did not write. The id of a session
 * stands in the log for all to read, so anybody can use it; but its own lines have writer ids that
 * were made with its secret, and those that this user's other programs wrote for it (a bridge, a
 * program that uses the library) ids made with the secret of the registry. Where there is no such
 * secret those could not be told from a forgery, and nothing is said.
 */
public final class Forgeries {
  /** How many bytes of the ledger a command checks; {@code parley doctor} checks all of it. */
  private static final int LATELY = 64 << 10;

  private static final String BEGINNING = "{\"id\":\"";

  private final Session session;
  private final WriterKey own;
  private final WriterKey users;
  private final List<Envelope> found = new ArrayList<>();

  private Forgeries(Session session, WriterKey users) {
    this.session = session;
    this.own = session.writerKey();
    this.users = users;
  }

  /** Describes such a line for people. */
  public static String describe(Envelope line) {
    return "Another program wrote "
        + line.type()
        + " in the name of "
        + line.sender()
        + " ("
        + line.position().in(line.topic())
        + ", id "
        + line.id()
        + ").";
  }

  /** All such lines. */
  public static List<Envelope> all(FileLog log, Session session, @Nullable WriterKey users) {
    if (users == null) {
      return List.of();
    }
    Forgeries forgeries = new Forgeries(session, users);
    WholeTopic.forEach(log, Ledger.TOPIC, forgeries::see);
    return forgeries.found;
  }

  private void see(Envelope line) {
    WriterId writer = line.isNative() ? line.writer() : null;
    if (writer != null
        && line.sender().equals(session.name())
        && !own.made(writer)
        && !users.made(writer)
        && Fields.of(line.payload()).text("session", "").equals(session.id())) {
      found.add(line);
    }
  }

  /**
   * Such lines near the end of the ledger. They are searched as bytes, because decoding costs a
   * command that has just started a tenth of a millisecond a line.
   */
  static List<Envelope> lately(FileLog log, Session session, @Nullable WriterKey users) {
    if (users == null) {
      return List.of();
    }
    Forgeries forgeries = new Forgeries(session, users);
    try (FileChannel ledger =
        FileChannel.open(
            log.file(Ledger.TOPIC), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long from = Math.max(0, ledger.size() - LATELY);
      ByteBuffer bytes = ByteBuffer.allocate((int) (ledger.size() - from));
      while (bytes.hasRemaining() && ledger.read(bytes, from + bytes.position()) > 0) {
        // Read on until the end.
      }
      String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
      forgeries.search(log, text, from);
    } catch (IOException | ParleyException e) {
      return List.of(); // the command itself reports what is wrong with the ledger
    }
    return forgeries.found;
  }

  /**
   * @param from where the text begins in the ledger, possibly inside a line
   */
  private void search(FileLog log, String text, long from) {
    int begin = from == 0 ? 0 : text.indexOf('\n') + 1;
    int at = text.indexOf(session.id(), begin);
    while (at >= 0) {
      int end = text.indexOf('\n', at);
      if (end < 0) {
        return; // no ledger yet
      }
      int line = text.lastIndexOf('\n', at) + 1;
      if (!isOurs(text, line)) {
        log.next(Ledger.TOPIC, new Position(from + line)).ifPresent(this::see);
      }
      at = text.indexOf(session.id(), end);
    }
  }

  private boolean isOurs(String text, int line) {
    int id = line + BEGINNING.length();
    int end = text.indexOf('"', id);
    WriterId writer =
        text.startsWith(BEGINNING, line) && end > id ? WriterId.in(text.substring(id, end)) : null;
    return writer != null && (own.made(writer) || users.made(writer));
  }
}
