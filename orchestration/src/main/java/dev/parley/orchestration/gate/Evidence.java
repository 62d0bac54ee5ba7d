package dev.parley.orchestration.gate;

import dev.parley.core.json.Json;
import dev.parley.core.store.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The result of a gate, as the runner observed it: never an agent's claim.
 *
 * @param gate its name
 * @param command what was run
 * @param exit its exit code; -1 if it was killed
 * @param why how it failed beside its exit code; empty if it did not
 * @param output its output, at most {@link GateRun#MOST_OUTPUT} bytes
 * @param digest SHA-256 of the output
 * @param counts how many tests ran and failed; null if neither output nor reports say it
 * @param commit what was checked: the head, or the tree of uncommitted work on top of it
 * @param leftovers processes that it left behind, and that were killed
 */
public record Evidence(
    String gate,
    String command,
    int exit,
    String why,
    String output,
    String digest,
    @Nullable TestCounts counts,
    Duration duration,
    String commit,
    int leftovers) {
  private static final int HASHED_LINES = 20;

  /** What differs between two equal failures: times, addresses, temporary files. */
  private static final Pattern CHANGING =
      Pattern.compile(
          "\\b\\d+(?:[.,]\\d+)? ?(?:ns|µs|us|ms|s|sec|secs|seconds?)\\b"
              + "|duration_ms:? [\\d.]+"
              + "|\\b\\d{4}-\\d\\d-\\d\\d(?:[T ]|\\b)"
              + "|\\b\\d{1,2}:\\d\\d:\\d\\d(?:[.,]\\d+)?Z?"
              + "|(?:\\b0x|@)[0-9a-fA-F]{5,16}\\b"
              + "|/tmp/[^\\s'\":,)]+");

  static Evidence of(
      Gate gate, int exit, String why, String output, Duration time, String commit, int leftovers) {
    return new Evidence(
        gate.name(),
        gate.line(),
        exit,
        why,
        output,
        "sha256:" + Sha256.hex(output),
        TestCounts.in(output),
        time,
        commit,
        leftovers);
  }

  Evidence with(@Nullable TestCounts found) {
    return new Evidence(
        gate, command, exit, why, output, digest, found, duration, commit, leftovers);
  }

  /** A gate that passed without running a command. */
  public static Evidence passed(String gate, String remark, String commit) {
    return new Evidence(
        gate, "", 0, "", remark, "sha256:" + Sha256.hex(remark), null, Duration.ZERO, commit, 0);
  }

  /** A gate that failed without running a command. */
  public static Evidence failed(String gate, String why, String output, String commit) {
    return new Evidence(
        gate, "", -1, why, output, "sha256:" + Sha256.hex(output), null, Duration.ZERO, commit, 0);
  }

  public boolean passed() {
    return exit == 0 && why.isEmpty();
  }

  /** The failure and the output, for the agent or person that has to fix it. */
  public String text() {
    return why.isEmpty() ? output : why + "\n" + output;
  }

  /**
   * Failures with the same first lines of output have the same hash. Durations, times of day,
   * addresses and names of temporary files do not count, because they differ each time.
   */
  public String failureHash() {
    StringBuilder first = new StringBuilder();
    text().lines().limit(HASHED_LINES).forEach(line -> first.append(line).append('\n'));
    return md5(CHANGING.matcher(first).replaceAll("…"));
  }

  /** One line for people. */
  public String summary() {
    TestCounts known = counts;
    String tests =
        known == null ? "" : ", " + known.run() + " tests, " + known.failed() + " failed";
    String left = leftovers == 0 ? "" : ", " + leftovers + " processes left behind were ended";
    if (passed()) {
      return gate + " passed" + tests + left;
    }
    return gate + " failed: " + (why.isEmpty() ? "exit code " + exit : why) + tests + left;
  }

  /** The part for the bus; the output is stored beside it. */
  public Json json() {
    Json.ObjectBuilder json =
        Json.object()
            .put("gate", gate)
            .put("passed", passed())
            .put("command", command)
            .put("exit", exit)
            .put("why", why)
            .put("digest", digest)
            .put("millis", duration.toMillis())
            .put("commit", commit);
    TestCounts known = counts;
    if (known != null) {
      json.put("tests", known.run()).put("failed", known.failed());
    }
    return (leftovers == 0 ? json : json.put("leftovers", leftovers)).build();
  }

  private static String md5(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
