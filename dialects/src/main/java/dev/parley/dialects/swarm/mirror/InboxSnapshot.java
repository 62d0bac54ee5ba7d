package dev.parley.dialects.swarm.mirror;

import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.swarm.QueueFile;
import dev.parley.dialects.swarm.QueueLockFile;
import dev.parley.dialects.swarm.SwarmMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of an inbox at one moment, and when it was written.
 *
 * @param messages null if another program may be writing the file, so that nothing can be told
 * @param byId the first message of each id
 * @param written null if the file is missing or changed while it was read
 * @param locked whether another program holds its lock and so is about to write
 */
record InboxSnapshot(
    QueueFile queue,
    @Nullable List<SwarmMessage> messages,
    Map<String, SwarmMessage> byId,
    @Nullable Instant written,
    boolean exists,
    boolean locked) {
  /** File times come from a clock that may lag a tick behind the clock of message times. */
  private static final Duration COARSE = Duration.ofMillis(50);

  interface Reader {
    @Nullable List<SwarmMessage> read(QueueFile queue);
  }

  static InboxSnapshot at(QueueFile queue, Reader reader) {
    Path file = queue.file();
    boolean locked = Files.exists(QueueLockFile.fileOf(file));
    FileTime before = ForeignFile.stamp(file).modified();
    List<SwarmMessage> messages = reader.read(queue);
    FileTime after = ForeignFile.stamp(file).modified();
    return new InboxSnapshot(
        queue,
        messages,
        byId(messages == null ? List.of() : messages),
        before != null && before.equals(after) ? before.toInstant() : null,
        after != null,
        locked);
  }

  private static Map<String, SwarmMessage> byId(List<SwarmMessage> messages) {
    Map<String, SwarmMessage> byId = LinkedHashMap.newLinkedHashMap(messages.size());
    messages.forEach(message -> byId.putIfAbsent(message.id(), message));
    return byId;
  }

  /** Whether nothing can be told from the inbox now. */
  boolean isUnclear() {
    return messages == null || (exists && written == null);
  }

  boolean has(SwarmMessage message) {
    SwarmMessage there = byId.get(message.id());
    return there != null && there.saysTheSame(message);
  }

  boolean hasId(String id) {
    return byId.containsKey(id);
  }

  /** Whether it may have been written after this time. */
  boolean isWrittenSince(Instant time) {
    return written != null && !written.plus(COARSE).isBefore(time);
  }
}
