package dev.parley.dialects.conclave;

import dev.parley.coordination.ReservedTopic;
import dev.parley.coordination.bulletin.BulletinAlias;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.dialects.file.Fingerprint;
import java.nio.charset.StandardCharsets;

/**
 * Which topic of the bus a file of the design is.
 *
 * <pre>
 * file                                mounted under "conclave"      mounted without a prefix
 * ----------------------------------  ----------------------------  -------------------------
 * debate.jsonl                        conclave.debate               debate
 * parallel.wave-0.board.jsonl         bulletin.wave-0               bulletin.wave-0
 * wave-0/board.jsonl                  bulletin.wave-0               bulletin.wave-0
 * ledger.jsonl                        conclave.ledger               conclave.escaped.ledger
 * not a topic.jsonl, a/b/c.jsonl      conclave.escaped.not_20a…     conclave.escaped.not_20a…
 * </pre>
 *
 * A file must not become a topic that Parley keeps its own books in, so those names are escaped.
 */
final class ConclaveTopics {
  static final String SUFFIX = ".jsonl";

  private static final String ESCAPED = "escaped.";
  private static final String USUAL = ConclaveCodec.DIALECT + ".";

  private final Prefix scope;
  private final String escaped;

  ConclaveTopics(Prefix scope) {
    this.scope = scope;
    this.escaped = (scope.root() == null ? USUAL : scope.root() + ".") + ESCAPED;
  }

  /** The topic of a file, given its path inside the folder. */
  Topic ofFile(String path) {
    String name = foreignName(path);
    boolean shallow = path.indexOf('/') == path.lastIndexOf('/');
    if (!shallow || !Topic.isValid(name) || !isFree(name)) {
      return new Topic(escaped + escape(path.substring(0, path.length() - SUFFIX.length())));
    }
    Topic board = BulletinAlias.topic(name);
    return board.name().equals(name) && scope.root() != null
        ? new Topic(scope.root() + "." + name)
        : board;
  }

  /** Conclave's name for the topic of a file. */
  static String foreignName(String path) {
    int slash = path.lastIndexOf('/');
    String name = path.substring(slash + 1, path.length() - SUFFIX.length());
    return slash > 0 && name.equals("board")
        ? BulletinAlias.board(new Topic(BulletinAlias.bulletins() + "." + wave(path, slash)))
        : name;
  }

  private static String wave(String path, int slash) {
    String folder = path.substring(path.lastIndexOf('/', slash - 1) + 1, slash);
    return Topic.isValid(folder) ? folder : "unnamed";
  }

  private boolean isFree(String name) {
    if (name.startsWith(ESCAPED) || name.length() > Topic.MAX_NAME - escaped.length()) {
      return false;
    }
    return scope.root() != null
        || (ReservedTopic.of(new Topic(name)) == null && !name.startsWith(USUAL + ESCAPED));
  }

  /** Turns any path into one part of a topic's name. */
  private static String escape(String path) {
    StringBuilder text = new StringBuilder();
    for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          (each >= '0' && each <= '9')
              || (each >= 'a' && each <= 'z')
              || (each >= 'A' && each <= 'Z');
      if (plain) {
        text.append((char) each);
      } else {
        text.append(text.isEmpty() ? "x_" : "_").append("%02x".formatted(each & 0xff));
      }
    }
    return text.length() <= Topic.MAX_PART
        ? text.toString()
        : text.substring(0, Topic.MAX_PART - 17) + "-" + Fingerprint.hex(path, 16);
  }

  /** Conclave's name for a topic of the bus. */
  String foreign(Topic topic) {
    Topic root = scope.root();
    String name = topic.name();
    return root != null && name.startsWith(root + ".")
        ? name.substring(root.name().length() + 1)
        : BulletinAlias.board(topic);
  }
}
