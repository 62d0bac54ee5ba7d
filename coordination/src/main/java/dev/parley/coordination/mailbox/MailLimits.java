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

  /** What a limit is; of a time the seconds. */
  public int get(MailLimit limit) {
    return set.getOrDefault(limit, limit.usual()).intValue();
  }

  /** How long a message waits for a recipient who is not there. */
  public Duration deadAfter() {
    return Duration.ofSeconds(get(MailLimit.DEAD_AFTER));
  }

  /**
   * These limits but for one.
   *
   * @throws ParleyException INVALID if it can't be that
   */
  public MailLimits with(MailLimit limit, long value) {
    Map<MailLimit, Long> changed = new EnumMap<>(MailLimit.class);
    changed.putAll(set);
    changed.put(limit, value);
    return new MailLimits(changed);
  }

  /** All of them. */
  public Json toJson() {
    Json.ObjectBuilder json = Json.object();
    for (MailLimit limit : MailLimit.values()) {
      json.put(limit.field(), get(limit));
    }
    return json.build();
  }

  /** Those that are not as usual, for {@link #with(Fields)}. */
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
   * These limits with those that the fields name. If one of them is out of range all stay as they
   * are: half of what somebody wanted may be worse than nothing of it. What is no number is not
   * there.
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
