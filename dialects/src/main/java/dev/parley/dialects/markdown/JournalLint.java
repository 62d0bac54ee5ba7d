package dev.parley.dialects.markdown;

import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.ForeignFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks a journal against its format. */
public final class JournalLint {
  private final JournalFile file;
  private final List<FileRemark> remarks;

  private JournalLint(JournalFile file, List<FileRemark> remarks) {
    this.file = file;
    this.remarks = new ArrayList<>(remarks);
  }

  /** Everything that violates the format, by line. */
  public static List<FileRemark> check(JournalFile file) {
    JournalFile.Reading reading = file.read();
    JournalLint lint = new JournalLint(file, reading.remarks());
    lint.check(reading.messages());
    return lint.remarks.stream().sorted(Comparator.comparingLong(FileRemark::line)).toList();
  }

  private void check(List<LocatedMessage> messages) {
    Set<String> known =
        messages.stream().map(placed -> placed.message().messageId()).collect(Collectors.toSet());
    Set<String> before = new HashSet<>();
    for (LocatedMessage placed : messages) {
      JournalMessage message = placed.message();
      if (LegacyEntry.isIdOfOne(message.messageId())) {
        continue; // reported by the reader already
      }
      if (!placed.closed() && !endsWithRule()) {
        add(placed, "the message does not end with ---");
      }
      if (!before.add(message.messageId())) {
        add(placed, "the messageId " + message.messageId() + " is there twice");
      }
      form(placed, message);
      relation(placed, message, known);
      JournalType kind = JournalType.find(message.type());
      JournalTemplate template = kind == null ? null : JournalTemplate.of(kind);
      if (template != null) {
        template.missing(message.body()).forEach(missing -> add(placed, missing));
      }
    }
  }

  /** The last line may lack its newline, which the format does not ask for. */
  private boolean endsWithRule() {
    String text = new String(ForeignFile.read(file.path()), StandardCharsets.UTF_8).stripTrailing();
    return JournalText.isRule(text.substring(text.lastIndexOf('\n') + 1));
  }

  private void form(LocatedMessage placed, JournalMessage message) {
    check(
        placed,
        "messageId",
        message.messageId(),
        JournalIds::isId,
        "messageId is not MSG-YYYYMMDD-HHMMSS-<agent>-<rand>");
    check(
        placed,
        "type",
        message.type(),
        type -> JournalType.find(type) != null,
        "the type is unknown");
    check(placed, "agent", message.agent(), JournalIds::isAgent, "agent is not a valid agent name");
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
      LocatedMessage placed,
      String field,
      String value,
      Predicate<String> isRight,
      String problem) {
    if (value.isEmpty()) {
      given(placed, field, null);
    } else if (!isRight.test(value)) {
      add(placed, problem + ": " + value);
    }
  }

  private void given(LocatedMessage placed, String field, @Nullable String value) {
    if (value == null) {
      add(placed, field + " is missing");
    }
  }

  private void relation(LocatedMessage placed, JournalMessage message, Set<String> known) {
    String relatesTo = message.relatesTo();
    if (relatesTo == null) {
      if (message.type().equals(JournalType.ANSWER.name())) {
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

  private void add(LocatedMessage placed, String reason) {
    remarks.add(new FileRemark(file.path(), placed.line(), true, reason));
  }
}
