package dev.parley.bench.figure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The least a Java program can do that appends a line: the limit for a command of ours. */
public final class AppendLine {
  private AppendLine() {}

  public static void main(String[] args) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            Path.of(args[0]),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
      var _ = file.write(ByteBuffer.wrap("{\"type\":\"note\"}\n".getBytes(StandardCharsets.UTF_8)));
    }
  }
}
