package dev.parley.filelog.trust;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.RandomBytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entry of one bus in the registry of trusted buses.
 *
 * <pre>
 * {"id":"k5x2…","path":"/home/ann/shop/.parley","made":"2026-11-18T14:00:00.000000Z",
 *  "secret":"0f3c… (32 hexadecimal digits)","owner":"&lt;public key&gt;",
 *  "mounts":[{"name":"swarm","dialect":"swarm","path":"/home/ann/shop/.swarm","topic":"swarm"}]}
 * </pre>
 *
 * @param id the bus id, as {@code bus.json} has it
 * @param path the real path of the bus folder
 * @param how {@code made} or {@code accepted}
 * @param since the time of that, as a timestamp
 * @param hex the secret in hexadecimal digits
 * @param owner the public key of the person that requires signatures on this bus; null if there is
 *     none
 * @param mounts what the local user mounted on this bus; there are no other mounts
 */
public record TrustEntry(
    String id,
    String path,
    How how,
    String since,
    String hex,
    @Nullable String owner,
    List<TrustedMount> mounts) {
  private static final int SECRET_BYTES = 16;
  private static final String DIGITS = "0123456789abcdef";

  /** How a bus came to be trusted. */
  public enum How {
    MADE("made"),
    ACCEPTED("accepted");

    final String word;

    How(String word) {
      this.word = word;
    }
  }

  static TrustEntry begin(String id, String path, How how, Instant now) {
    return new TrustEntry(id, path, how, Timestamps.format(now), newSecret(), null, List.of());
  }

  private static String newSecret() {
    StringBuilder hex = new StringBuilder(2 * SECRET_BYTES);
    for (byte b : RandomBytes.of(SECRET_BYTES)) {
      hex.append(DIGITS.charAt((b >> 4) & 15)).append(DIGITS.charAt(b & 15));
    }
    return hex.toString();
  }

  /**
   * 16 random bytes that only this user can read: the key against forged files in the bus folder.
   */
  public byte[] secret() {
    byte[] secret = new byte[SECRET_BYTES];
    for (int i = 0; i < SECRET_BYTES; i++) {
      secret[i] =
          (byte) ((DIGITS.indexOf(hex.charAt(2 * i)) << 4) | DIGITS.indexOf(hex.charAt(2 * i + 1)));
    }
    return secret;
  }

  TrustEntry with(List<TrustedMount> others) {
    return new TrustEntry(id, path, how, since, hex, owner, List.copyOf(others));
  }

  TrustEntry ownedBy(@Nullable String other) {
    return new TrustEntry(id, path, how, since, hex, other, mounts);
  }

  /** Reads an entry from the bytes of a file; null if they are none. */
  public static @Nullable TrustEntry parse(byte[] file) {
    Map<String, Json> fields;
    try {
      fields = Json.parse(new String(file, StandardCharsets.UTF_8)).fields();
    } catch (JsonException e) {
      return null;
    }
    String id = fields.getOrDefault("id", Json.NULL).text();
    String path = fields.getOrDefault("path", Json.NULL).text();
    String hex = fields.getOrDefault("secret", Json.NULL).text();
    String made = fields.getOrDefault("made", Json.NULL).text();
    String since = made != null ? made : fields.getOrDefault("accepted", Json.NULL).text();
    if (id == null || path == null || since == null || hex == null || !isSecret(hex)) {
      return null;
    }
    List<TrustedMount> mounts = new ArrayList<>();
    for (Json item : fields.getOrDefault("mounts", Json.NULL).items()) {
      TrustedMount mount = TrustedMount.of(item);
      if (mount != null) {
        mounts.add(mount);
      }
    }
    return new TrustEntry(
        id,
        path,
        made != null ? How.MADE : How.ACCEPTED,
        since,
        hex,
        fields.getOrDefault("owner", Json.NULL).text(),
        List.copyOf(mounts));
  }

  private static boolean isSecret(String hex) {
    for (int i = 0; i < hex.length(); i++) {
      if (DIGITS.indexOf(hex.charAt(i)) < 0) {
        return false;
      }
    }
    return hex.length() == 2 * SECRET_BYTES;
  }

  Json toJson() {
    List<Json> described = new ArrayList<>();
    for (TrustedMount mount : mounts) {
      described.add(mount.toJson());
    }
    return Json.object()
        .put("id", id)
        .put("path", path)
        .put(how.word, since)
        .put("secret", hex)
        .put("owner", owner)
        .put("mounts", Json.of(described))
        .build();
  }

  /** Leaves the secret out. */
  @Override
  public String toString() {
    return "bus " + id + " at " + path + ", " + how.word + " " + since;
  }
}
