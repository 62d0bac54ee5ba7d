package dev.parley.cli.mcp;

import dev.parley.cli.command.Invocation;
import dev.parley.core.ParleyException;
import dev.parley.filelog.disk.SafeFiles;
import dev.parley.filelog.trust.TrustEntry;
import dev.parley.filelog.trust.TrustedBuses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The secret for a bus's tokens: a file in the user's state folder that only its owner can read.
 */
final class ServerSecret {
  private static final int BYTES = 32;

  private ServerSecret() {}

  /** The secret, created if there is none. */
  static byte[] of(Invocation invocation) throws IOException {
    TrustEntry entry = invocation.bus().trust();
    if (entry == null) {
      throw ParleyException.refused(
          "not-trusted",
          "This bus is not in your registry, so its secret can't be stored.",
          "Make one with parley init, or accept it with parley trust.");
    }
    Path state = TrustedBuses.of(invocation.shell().environment()).folder();
    Path folder = state.resolve("serve");
    SafeFiles.createFolder(folder);
    Path file = folder.resolve(entry.id());
    if (!Files.exists(file)) {
      make(file);
    }
    String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
    if (text.length() == 2 * BYTES) {
      return HexFormat.of().parseHex(text);
    }
    throw new ParleyException(
        ParleyException.Kind.FAILED,
        "bad-secret",
        "The secret in " + file + " is damaged.",
        "Delete that file; then print tokens anew with parley serve token.");
  }

  /**
   * Writes the file completely before it gets its name, so that no process reads a part of it. The
   * first one created counts.
   */
  private static void make(Path file) throws IOException {
    SecureRandom random = new SecureRandom();
    byte[] secret = new byte[BYTES];
    random.nextBytes(secret);
    Path made = file.resolveSibling(file.getFileName() + "." + Long.toHexString(random.nextLong()));
    SafeFiles.createFile(made);
    try {
      Files.writeString(made, HexFormat.of().formatHex(secret));
      Files.createLink(file, made);
    } catch (FileAlreadyExistsException e) {
      // Another process was faster.
    } finally {
      Files.delete(made);
    }
  }
}
