package dev.parley.core.writer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/** Random bytes that nobody can guess, from where they cost a short command least. */
public final class RandomBytes {
  private static final Path URANDOM = Path.of("/dev/urandom");

  private RandomBytes() {}

  /** The kernel's source directly: loading the security providers takes longer than a command. */
  public static byte[] of(int count) {
    if (Files.isReadable(URANDOM)) {
      try (InputStream in = Files.newInputStream(URANDOM)) {
        byte[] random = in.readNBytes(count);
        if (random.length == count) {
          return random;
        }
      } catch (IOException e) {
        // Some sandboxes show the device but do not let it be read: the library has other sources.
      }
    }
    byte[] random = new byte[count];
    new SecureRandom().nextBytes(random);
    return random;
  }
}
