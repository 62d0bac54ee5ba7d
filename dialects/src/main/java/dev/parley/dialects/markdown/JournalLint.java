package dev.parley.dialects.markdown;

import dev.parley.dialects.Remark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares a journal with its format. */
public final class JournalLint {
  private final JournalFile file;
  private final List<Remark> remarks;

  private JournalLint(JournalFile file, List<Remark> remarks) {
    this.file = file;
    this.remarks = new ArrayList<>(remarks);
  }

  /** All that is not as the format says, by line. */
  public static List<Remark> check(JournalFile file) {
    JournalFile.Reading reading = file.read();
    JournalLint lint = new JournalLint(file, reading.remarks());
    lint.check(reading.messages());
    return lint.remarks.stream().sorted(Comparator.comparingLong(Remark::line)).toList();
  }

  private void check(List<Placed> messages) {
    Set<String> known =
        messages.stream().map(placed -> placed.message().messageId()).collect(Collectors.toSet());
    Set<String> before = new HashSet<>();
    for (Placed placed : messages) {
      JournalMessage message = placed.message();
      if (LegacyEntry.isIdOfOne(message.messageId())) {
        continue; // said already, where it was read
      }
      if (!before.add(message.messageId())) {
        add(placed, "the messageId " + message.messageId() + " is there twice");
      }
      form(placed, message);
      relation(placed, message, known);
      Kind kind = Kind.find(message.type());
      Template template = kind == null ? null : Template.of(kind);
      if (template != null) {
        template.missing(message.body()).forEach(missing -> add(placed, missing));
      }
    }
  }

  private void form(Placed placed, JournalMessage message) {
    check(
        placed,
        "messageId",
        message.messageId(),
        JournalIds::isId,
        "messageId is not MSG-YYYYMMDD-HHMMSS-<agent>-<rand>");
    check(placed, "type", message.type(), type -> Kind.find(type) != null, "there is no such type");
    check(placed, "agent", message.agent(), JournalIds::isAgent, "agent is no agent's name");
    check(
        placed,
        "timestamp",
        message.timestamp(),
        JournalIds::isTime,
        "timestamp is not YYYY-MM-DDTHH:MM:SSZ");
    given(placed, "runId", message.runId());
    given(placed, "taskId", message.taskId());
  }

  private void check(
      Placed placed, String field, String value, Predicate<String> isRight, String problem) {
    if (value.isEmpty()) {
      given(placed, field, null);
    } else if (!isRight.test(value)) {
      add(placed, problem + ": " + value);
    }
  }

  private void given(Placed placed, String field, @Nullable String value) {
    if (value == null) {
      add(placed, field + " is missing");
    }
  }

  private void relation(Placed placed, JournalMessage message, Set<String> known) {
    String relatesTo = message.relatesTo();
    if (relatesTo == null) {
      if (message.type().equals(Kind.ANSWER.name())) {
        add(placed, "an ANSWER without relatesTo");
      }
    } else {
      for (String id : FrontMatter.list(relatesTo)) {
        if (!known.contains(id)) {
          add(placed, "relatesTo names a message that is not here: " + id);
        }
      }
    }
  }

  private void add(Placed placed, String reason) {
    remarks.add(new Remark(file.path(), placed.line(), true, reason));
  }
}
