package dev.parley.dialects.swarm;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.json.JsonScanner;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.IndentedJson;
import dev.parley.dialects.message.JsonLine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The offsets of the entries in a queue's file. Appending leaves the other entries as they are laid
 * out, which is much faster than parsing and writing a thousand of them.
 */
public final class QueueEntries {
  public static final QueueEntries NONE = new QueueEntries(new byte[] {'['}, new int[0]);

  private final byte[] content;

  /** The begin and end of each entry. */
  private final int[] places;

  private @Nullable List<SwarmMessage> messages;

  /** The earlier content that this content begins with, until its messages are taken over. */
  private @Nullable QueueEntries known;

  private QueueEntries(byte[] content, int[] places) {
    this.content = content;
    this.places = places;
  }

  /**
   * The entries of a file; null if it is not an array. A blank file has none.
   *
   * @param before the earlier entries; if the content still begins with them, they are not parsed
   *     again
   */
  static @Nullable QueueEntries in(byte[] content, QueueEntries before) {
    JsonScanner scanner = new JsonScanner(Json.DEFAULT_DEPTH).reset(content, 0, content.length);
    scanner.whitespace();
    if (scanner.atEnd()) {
      return NONE;
    }
    int[] places = new int[Math.max(64, 2 * before.places.length)];
    int count = 0;
    try {
      boolean more;
      boolean grown = before.count() > 0 && before.isBeginningOf(content);
      if (grown) {
        count = before.places.length;
        System.arraycopy(before.places, 0, places, 0, count);
        scanner.reset(content, before.end(), content.length);
        more = isMore(scanner);
      } else {
        scanner.expect('[');
        scanner.whitespace();
        more = !scanner.accept(']');
      }
      while (more) {
        places = count == places.length ? Arrays.copyOf(places, 2 * count) : places;
        places[count++] = scanner.at();
        scanner.value(1);
        places[count++] = scanner.at();
        more = isMore(scanner);
      }
      scanner.whitespace();
      if (!scanner.atEnd()) {
        return null;
      }
      QueueEntries now = new QueueEntries(content, Arrays.copyOf(places, count));
      if (grown) {
        now.known = before;
      }
      return now;
    } catch (JsonException e) {
      return null;
    }
  }

  /** A copy without the link to earlier entries, so that keeping it keeps no history. */
  QueueEntries alone() {
    return known == null ? this : new QueueEntries(content, places);
  }

  private static boolean isMore(JsonScanner scanner) {
    scanner.whitespace();
    boolean more = scanner.accept(',');
    if (more) {
      scanner.whitespace();
    } else {
      scanner.expect(']');
    }
    return more;
  }

  /** The end of the last entry. */
  private int end() {
    return places[places.length - 1];
  }

  private boolean isBeginningOf(byte[] other) {
    return other.length > end() && Arrays.equals(content, 0, end(), other, 0, end());
  }

  boolean isOf(byte[] other) {
    return Arrays.equals(content, other);
  }

  public int count() {
    return places.length / 2;
  }

  /** The ids of all entries that have one. */
  public Set<String> ids() {
    Set<String> ids = new HashSet<>();
    JsonScanner scanner = new JsonScanner(Json.DEFAULT_DEPTH);
    for (int i = 0; i < places.length; i += 2) {
      if (content[places[i]] == '{') {
        try {
          ids.add(JsonLine.scan(scanner, content, places[i], places[i + 1]).text("id", ""));
        } catch (JsonException e) {
          // A key occurs twice, so it is not a message.
        }
      }
    }
    return ids;
  }

  /** The messages among the entries. The first call reports the entries that are not messages. */
  public List<SwarmMessage> messages(FileRemark.Sink remarks) {
    List<SwarmMessage> found = messages;
    if (found == null) {
      found = new ArrayList<>(known == null ? List.of() : known.messages(remarks));
      for (int i = known == null ? 0 : known.places.length; i < places.length; i += 2) {
        String problem;
        try {
          byte[] entry = Arrays.copyOfRange(content, places[i], places[i + 1]);
          Json json = Json.parse(entry, Json.DEFAULT_DEPTH);
          problem = SwarmMessage.problem(json);
          if (problem == null) {
            found.add(new SwarmMessage(json));
          }
        } catch (JsonException e) {
          problem = "has " + e.getMessage();
        }
        if (problem != null) {
          remarks.add(0, false, "entry " + (i / 2 + 1) + " " + problem);
        }
      }
      messages = found;
      known = null;
    }
    return found;
  }

  /** The file with these entries appended. */
  byte[] with(List<Json> more) {
    StringBuilder added = new StringBuilder();
    String between = count() == 0 ? "" : ",";
    for (Json entry : more) {
      added.append(between).append("\n  ").append(IndentedJson.text(entry, 1));
      between = ",";
    }
    byte[] rest = added.append("\n]").toString().getBytes(StandardCharsets.UTF_8);
    int end = count() == 0 ? 1 + bracket() : end();
    byte[] all = Arrays.copyOf(content, end + rest.length);
    System.arraycopy(rest, 0, all, end, rest.length);
    return all;
  }

  private int bracket() {
    int at = 0;
    while (content[at] != '[') {
      at++;
    }
    return at;
  }
}
