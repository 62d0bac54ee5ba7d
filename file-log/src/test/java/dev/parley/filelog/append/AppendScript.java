package dev.parley.filelog.append;

import dev.parley.core.AppendException;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.Durability;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.testing.Ack;
import dev.parley.filelog.watch.PollingInterval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Appends by one writer, of one line and of several, with the outcome of each. */
final class AppendScript {
  static final Topic TOPIC = new Topic("story");
  static final Limits LIMITS = new Limits(4096, Limits.DEFAULT_DEPTH);

  /** The number of messages of each append, in order. */
  private static final int[] BATCHES = {1, 3, 1, 1, 4, 1, 2, 1};

  private static final int[] SIZES = {10, 700, 60, 1500, 5};

  /**
   * One append.
   *
   * @param keys its messages' keys
   * @param trouble null if all were stored
   */
  record Outcome(List<Long> keys, List<Ack> acks, @Nullable AppendException trouble) {
    boolean is(ParleyException.Kind kind) {
      return trouble != null && trouble.kind() == kind;
    }

    List<Long> notAcknowledged() {
      return keys.subList(acks.size(), keys.size());
    }
  }

  private final List<Outcome> outcomes = new ArrayList<>();

  private AppendScript() {}

  static int length() {
    return BATCHES.length;
  }

  static Path file(Path folder) {
    return folder.resolve(TOPIC + ".jsonl");
  }

  /**
   * Runs the script.
   *
   * @param before called with the number of each append before it begins
   */
  static AppendScript happen(Path folder, Disk disk, IntConsumer before) {
    AppendScript story = new AppendScript();
    try (FileLog log = new FileLog(folder, LIMITS, PollingInterval.DEFAULT, Durability.OS, disk)) {
      long key = 0;
      for (int i = 0; i < BATCHES.length; i++) {
        List<Message> messages = new ArrayList<>();
        List<Long> keys = new ArrayList<>();
        for (int line = 0; line < BATCHES[i]; line++) {
          keys.add(++key);
          messages.add(
              Message.builder("ours", "proof")
                  .key(Long.toString(key))
                  .payload(Json.of("x".repeat(SIZES[(int) key % SIZES.length])))
                  .build());
        }
        before.accept(i);
        story.outcomes.add(append(log, messages, keys));
      }
    }
    return story;
  }

  private static Outcome append(FileLog log, List<Message> messages, List<Long> keys) {
    List<Stored> stored;
    AppendException trouble = null;
    try {
      stored = log.append(TOPIC, messages);
    } catch (AppendException e) {
      stored = e.stored();
      trouble = e;
    }
    List<Ack> acks = new ArrayList<>();
    for (int i = 0; i < stored.size(); i++) {
      acks.add(Ack.of(messages.get(i), stored.get(i)));
    }
    return new Outcome(keys, acks, trouble);
  }

  List<Outcome> outcomes() {
    return outcomes;
  }

  List<Ack> acks() {
    return outcomes.stream().flatMap(outcome -> outcome.acks.stream()).toList();
  }
}
