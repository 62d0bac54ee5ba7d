package dev.parley.coordination.mailbox;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** The limits of one mailbox, set by an envelope in its topics so that everyone agrees on them. */
public record MailLimits(Map<MailLimit, Long> set) {
  public static final MailLimits DEFAULT = new MailLimits(Map.of());

  public MailLimits {
    set.forEach(MailLimit::check);
    set = Map.copyOf(set);
  }

  /** The value of a limit; times in seconds. */
  public int get(MailLimit limit) {
    return set.getOrDefault(limit, limit.usual()).intValue();
  }

  /** How long a message waits for a recipient that does not read its mail. */
  public Duration deadAfter() {
    return Duration.ofSeconds(get(MailLimit.DEAD_AFTER));
  }

  /**
   * These limits with one of them changed.
   *
   * @throws ParleyException INVALID if the value is out of range
   */
  public MailLimits with(MailLimit limit, long value) {
    Map<MailLimit, Long> changed = new EnumMap<>(MailLimit.class);
    changed.putAll(set);
    changed.put(limit, value);
    return new MailLimits(changed);
  }

  public Json toJson() {
    Json.ObjectBuilder json = Json.object();
    for (MailLimit limit : MailLimit.values()) {
      json.put(limit.field(), get(limit));
    }
    return json.build();
  }

  /** The limits that differ from the defaults, for {@link #with(Fields)}. */
  Json save() {
    Json.ObjectBuilder json = Json.object();
    for (MailLimit limit : MailLimit.values()) {
      if (get(limit) != limit.usual()) {
        json.put(limit.field(), get(limit));
      }
    }
    return json.build();
  }

  /**
   * These limits with those that the fields name. If one value is out of range, all limits stay as
   * they are: half of a change may do more harm than none. Values that are not numbers are ignored.
   */
  MailLimits with(Fields fields) {
    MailLimits result = this;
    try {
      for (MailLimit limit : MailLimit.values()) {
        long value = fields.number(limit.field(), get(limit));
        result = value == result.get(limit) ? result : result.with(limit, value);
      }
      return result;
    } catch (ParleyException e) {
      return this;
    }
  }
}
