package dev.parley.core;

import dev.parley.core.codec.Checksum;
import dev.parley.core.codec.Field;
import dev.parley.core.json.Json;
import dev.parley.core.time.BootClock;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of an envelope that its author decides. Immutable.
 *
 * <p>The log adds id, seq and timestamp when it is stored. Fields that are null, false or empty are
 * absent from the line.
 */
public final class Message {
  /** The longest type, in characters. */
  public static final int MAX_TYPE = 200;

  private final String sender;
  private final String type;
  private final Json payload;
  private final Options options;

  /** The fields that only some messages have. */
  public record Options(
      List<String> to,
      @Nullable String thread,
      @Nullable String replyTo,
      @Nullable String priority,
      boolean needsReply,
      @Nullable Instant deadline,
      @Nullable String key,
      boolean automatic,
      @Nullable String run,
      @Nullable String task,
      Map<String, Json> extra,
      boolean clocked) {
    static final Options NONE =
        new Options(
            List.of(), null, null, null, false, null, null, false, null, null, Map.of(), false);

    private static final Options NONE_CLOCKED = NONE.withClock();

    Options withClock() {
      return new Options(
          to,
          thread,
          replyTo,
          priority,
          needsReply,
          deadline,
          key,
          automatic,
          run,
          task,
          extra,
          true);
    }
  }

  /** Takes parts that were checked before. */
  public Message(String sender, String type, Json payload, Options options) {
    this.sender = sender;
    this.type = type;
    this.payload = payload;
    this.options = options;
  }

  /** A message with only sender, type and payload. */
  public static Message of(String sender, String type, Json payload) {
    check(sender, type);
    return new Message(sender, type, payload, Options.NONE);
  }

  public static Builder builder(String sender, String type) {
    return new Builder(sender, type);
  }

  public String sender() {
    return sender;
  }

  public String type() {
    return type;
  }

  public Json payload() {
    return payload;
  }

  public Options options() {
    return options;
  }

  /** Whether the message is known to have only sender, type and payload. */
  @SuppressWarnings("ReferenceEquality") // one that happens to be equal is treated as any other
  public boolean isPlain() {
    return options == Options.NONE;
  }

  /** The agents it is addressed to; empty if to nobody in particular. */
  public List<String> to() {
    return options.to;
  }

  public @Nullable String thread() {
    return options.thread;
  }

  /** The id of the envelope this one answers. */
  public @Nullable String replyTo() {
    return options.replyTo;
  }

  public @Nullable String priority() {
    return options.priority;
  }

  public boolean needsReply() {
    return options.needsReply;
  }

  public @Nullable Instant deadline() {
    return options.deadline;
  }

  /** The idempotency key: its sender's second message with the same key counts as a repeat. */
  public @Nullable String key() {
    return options.key;
  }

  /** Whether no model or person decided to write it. */
  public boolean automatic() {
    return options.automatic;
  }

  public @Nullable String run() {
    return options.run;
  }

  public @Nullable String task() {
    return options.task;
  }

  /** Keys that the envelope does not know by name. */
  public Map<String, Json> extra() {
    return options.extra;
  }

  /** The same message; its line will contain the {@link BootClock}'s time at the append. */
  public Message withClock() {
    return options.clocked
        ? this
        : new Message(
            sender, type, payload, isPlain() ? Options.NONE_CLOCKED : options.withClock());
  }

  /** Whether the log must write the {@link BootClock}'s time into the line. */
  public boolean isClocked() {
    return options.clocked;
  }

  private static void check(String sender, String type) {
    checkName(sender);
    if (type.isEmpty() || type.length() > MAX_TYPE) {
      throw ParleyException.invalid(
          "bad-type", Json.object().put("characters", type.length()).put("most", MAX_TYPE));
    }
  }

  private static void checkName(String name) {
    if (!AgentName.isValid(name)) {
      throw AgentName.invalid(name);
    }
  }

  /** Collects the fields of a message and checks them. */
  public static final class Builder {
    private final String sender;
    private final String type;
    private Json payload = Json.EMPTY_OBJECT;
    private List<String> to = List.of();
    private @Nullable String thread;
    private @Nullable String replyTo;
    private @Nullable String priority;
    private boolean needsReply;
    private @Nullable Instant deadline;
    private @Nullable String key;
    private boolean automatic;
    private @Nullable String run;
    private @Nullable String task;
    private Map<String, Json> extra = Map.of();

    private Builder(String sender, String type) {
      this.sender = sender;
      this.type = type;
    }

    public Builder payload(Json payload) {
      this.payload = payload;
      return this;
    }

    public Builder to(List<String> agents) {
      this.to = List.copyOf(agents);
      return this;
    }

    public Builder thread(@Nullable String thread) {
      this.thread = thread;
      return this;
    }

    public Builder replyTo(@Nullable String id) {
      this.replyTo = id;
      return this;
    }

    public Builder priority(@Nullable String priority) {
      this.priority = priority;
      return this;
    }

    public Builder needsReply(boolean needsReply) {
      this.needsReply = needsReply;
      return this;
    }

    public Builder deadline(@Nullable Instant deadline) {
      this.deadline = deadline;
      return this;
    }

    public Builder key(@Nullable String key) {
      this.key = key;
      return this;
    }

    public Builder automatic(boolean automatic) {
      this.automatic = automatic;
      return this;
    }

    public Builder run(@Nullable String run) {
      this.run = run;
      return this;
    }

    public Builder task(@Nullable String task) {
      this.task = task;
      return this;
    }

    /** Adds a key that the envelope does not know by name. */
    public Builder extra(String name, Json value) {
      extra = with(extra, name, value);
      return this;
    }

    /**
     * Most messages have one such key at most. That case is kept small, because a large file has a
     * million of them.
     */
    private static Map<String, Json> with(Map<String, Json> before, String name, Json value) {
      if (before.isEmpty()) {
        return Collections.singletonMap(name, value); // gone through faster than Map.of
      }
      Map<String, Json> more = new LinkedHashMap<>(before);
      more.put(name, value);
      return Collections.unmodifiableMap(more);
    }

    /**
     * Checks the fields and makes the message.
     *
     * @throws ParleyException if a name is not valid, the type is empty or too long, or an extra
     *     key is one that the envelope has itself
     */
    public Message build() {
      check(sender, type);
      to.forEach(Message::checkName);
      for (String name : extra.keySet()) {
        if (Field.named(name) != null || name.equals(Checksum.KEY)) {
          throw ParleyException.invalid("bad-key", Json.object().put("key", name));
        }
      }
      return new Message(
          sender,
          type,
          payload,
          new Options(
              to,
              thread,
              replyTo,
              priority,
              needsReply,
              deadline,
              key,
              automatic,
              run,
              task,
              extra,
              false));
    }
  }
}
