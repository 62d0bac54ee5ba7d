package dev.parley.core.store;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.names.NameGrammar;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Keeps what is too long for a line beside the log. Its name is the digest of its bytes: so it
 * never changes, storing it twice is storing it once, and whoever loads it knows that it is whole.
 */
public interface Contents {
  /** The longest content in bytes where nobody said otherwise ({@code maxContent}). */
  int DEFAULT_LIMIT = 64 << 20;

  /** The largest limit that can be set: content must fit into memory a few times. */
  int MAX_LIMIT = 1 << 28;

  /** What a digest looks like: {@code sha256:} and 64 digits. */
  Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

  /** The longest content that is taken, in bytes. */
  int limit();

  /**
   * Stores content, whole or not at all; it is there when this returns.
   *
   * @return its digest
   * @throws ParleyException INVALID if it is longer than the limit; FAILED if it could not be
   *     stored
   */
  String store(byte[] content);

  /**
   * Gives stored content back, after a check that it is what was stored.
   *
   * @throws ParleyException INVALID if that is no digest; FAILED if it is missing or damaged
   */
  byte[] load(String digest);

  static String digest(byte[] content) {
    return "sha256:" + HexFormat.of().formatHex(Sha256.of(content));
  }

  /** The error for content that is longer than a limit. */
  static ParleyException tooLong(int limit) {
    return ParleyException.invalid("content-too-long", Json.object().put("most", limit));
  }

  /** The error for a digest without content. */
  static ParleyException missing(String digest) {
    return new ParleyException(
        ParleyException.Kind.FAILED,
        "content-missing",
        Json.object().put("digest", digest).build(),
        null);
  }

  /** Makes sure that a digest is one, before anything is named after it. */
  static String check(String digest) {
    if (!DIGEST.matcher(digest).matches()) {
      throw ParleyException.invalid(
          "bad-digest", Json.object().put("digest", NameGrammar.shown(digest)));
    }
    return digest;
  }

  /**
   * Contents of a log that stores nothing beside it: a body that is too long for a line is refused.
   */
  static Contents none() {
    return inMemory(0);
  }

  /** Contents that last as long as this process. */
  static Contents inMemory(int limit) {
    Map<String, byte[]> stored = new ConcurrentHashMap<>();
    return new Contents() {
      @Override
      public int limit() {
        return limit;
      }

      @Override
      public String store(byte[] content) {
        if (content.length > limit) {
          throw tooLong(limit);
        }
        String digest = digest(content);
        stored.put(digest, content.clone());
        return digest;
      }

      @Override
      public byte[] load(String digest) {
        byte[] content = stored.get(check(digest));
        if (content == null) {
          throw missing(digest);
        }
        return content.clone();
      }
    };
  }
}
