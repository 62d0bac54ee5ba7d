package dev.parley.dialects.swarm;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.json.JsonScanner;
import dev.parley.dialects.Indented;
import dev.parley.dialects.JsonLine;
import dev.parley.dialects.Remark;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the entries of a queue's file are. Adding some leaves the others as they stand, however
 * they are laid out: that is much quicker than reading a thousand and writing them again.
 */
final class Entries {
  static final Entries NONE = new Entries(new byte[] {'['}, new int[0]);

  private final byte[] content;

  /** Where each entry begins and ends. */
  private final int[] places;

  private @Nullable List<SwarmMessage> messages;

  private Entries(byte[] content, int[] places) {
    this.content = content;
    this.places = places;
  }

  /** The entries of a file; null if it is no array. One that is blank has none. */
  static @Nullable Entries in(byte[] content) {
    JsonScanner scanner = new JsonScanner(Json.DEFAULT_DEPTH).reset(content, 0, content.length);
    scanner.whitespace();
    if (scanner.atEnd()) {
      return NONE;
    }
    try {
      scanner.expect('[');
      scanner.whitespace();
      int[] places = new int[64];
      int count = 0;
      boolean more = !scanner.accept(']');
      while (more) {
        places = count == places.length ? Arrays.copyOf(places, 2 * count) : places;
        places[count++] = scanner.at();
        scanner.value(1);
        places[count++] = scanner.at();
        scanner.whitespace();
        more = scanner.accept(',');
        if (more) {
          scanner.whitespace();
        } else {
          scanner.expect(']');
        }
      }
      scanner.whitespace();
      return scanner.atEnd() ? new Entries(content, Arrays.copyOf(places, count)) : null;
    } catch (JsonException e) {
      return null;
    }
  }

  boolean isOf(byte[] other) {
    return Arrays.equals(content, other);
  }

  int count() {
    return places.length / 2;
  }

  /** The ids of those that have one. */
  Set<String> ids() {
    Set<String> ids = new HashSet<>();
    JsonScanner scanner = new JsonScanner(Json.DEFAULT_DEPTH);
    for (int i = 0; i < places.length; i += 2) {
      if (content[places[i]] == '{') {
        try {
          ids.add(JsonLine.scan(scanner, content, places[i], places[i + 1]).text("id", ""));
        } catch (JsonException e) {
          // It has a key twice: no message of anybody.
        }
      }
    }
    return ids;
  }

  /** The messages among them; says which are none, the first time. */
  List<SwarmMessage> messages(Remark.Sink remarks) {
    List<SwarmMessage> found = messages;
    if (found == null) {
      found = new ArrayList<>();
      for (int i = 0; i < places.length; i += 2) {
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
    }
    return found;
  }

  /** The file with some entries more. */
  byte[] with(List<Json> more) {
    int end = count() == 0 ? 1 + bracket() : places[places.length - 1];
    ByteArrayOutputStream out = new ByteArrayOutputStream(end + 1024 * more.size());
    out.write(content, 0, end);
    String between = count() == 0 ? "" : ",";
    for (Json entry : more) {
      out.writeBytes((between + "\n  ").getBytes(StandardCharsets.US_ASCII));
      out.writeBytes(Indented.bytes(entry, 1));
      between = ",";
    }
    out.writeBytes("\n]".getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }

  private int bracket() {
    int at = 0;
    while (content[at] != '[') {
      at++;
    }
    return at;
  }
}
