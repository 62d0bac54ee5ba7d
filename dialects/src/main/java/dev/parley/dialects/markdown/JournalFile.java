package dev.parley.dialects.markdown;

import dev.parley.core.ParleyException;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.file.ForeignFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A journal on disk, which is only ever appended to. */
public final class JournalFile {
  public static final String NAME = "MESSAGE-BUS.md";

  /** The variables by which orchestrators tell their agents where the journal is. */
  private static final List<String> VARIABLES = List.of("MESSAGE_BUS", "JRUN_MESSAGE_BUS");

  private final Path path;

  public JournalFile(Path path) {
    this.path = path;
  }

  public record Reading(List<LocatedMessage> messages, List<FileRemark> remarks) {}

  /**
   * Finds the journal: the one named, else the one in the environment, else the nearest one from
   * the working folder upwards.
   *
   * @throws ParleyException REFUSED if there is none
   */
  public static JournalFile find(
      @Nullable Path named, Path workingFolder, Map<String, String> environment) {
    if (named != null) {
      return new JournalFile(named);
    }
    for (String variable : VARIABLES) {
      String value = environment.getOrDefault(variable, "");
      if (!value.isEmpty()) {
        return new JournalFile(workingFolder.resolve(value));
      }
    }
    for (Path folder = workingFolder; folder != null; folder = folder.getParent()) {
      if (Files.isRegularFile(folder.resolve(NAME))) {
        return new JournalFile(folder.resolve(NAME));
      }
    }
    throw ParleyException.refused(
        "no-journal",
        "There is no " + NAME + " in " + workingFolder + " or above it.",
        "Make one with parley init --dialect markdown, or name one with --file.");
  }

  public Path path() {
    return path;
  }

  public boolean exists() {
    return Files.exists(path);
  }

  /** Creates the journal with a description of its format; false if the file exists. */
  public boolean create() {
    if (exists()) {
      return false;
    }
    ForeignFile.createFolderOf(path);
    ForeignFile.create(path, JournalPage.text().getBytes(StandardCharsets.UTF_8));
    return true;
  }

  public Reading read() {
    List<FileRemark> remarks = new ArrayList<>();
    List<LocatedMessage> messages =
        JournalReader.read(
            ForeignFile.read(path),
            0,
            (line, understood, reason) ->
                remarks.add(new FileRemark(path, line, understood, reason)));
    return new Reading(messages, remarks);
  }

  /** A message without id and time, which {@link #post} adds. */
  public record Draft(
      JournalType kind,
      String agent,
      @Nullable String runId,
      @Nullable String taskId,
      @Nullable String relatesTo,
      List<String> files,
      List<String> artifacts,
      String body) {}

  /**
   * Appends a message.
   *
   * @throws ParleyException INVALID if the format does not allow it; then nothing is written
   */
  public JournalMessage post(Draft draft, Instant now) {
    String agent = JournalIds.checkAgent(draft.agent);
    String random = Fingerprint.unique().substring(0, 6);
    JournalMessage message =
        new JournalMessage(
            JournalIds.id(now, agent, random),
            draft.kind.name(),
            agent,
            JournalIds.time(now),
            needed("runId", draft.runId, "--run <run> (or RUN_ID)"),
            needed("taskId", draft.taskId, "--task <task>"),
            checkRelation(draft),
            draft.files,
            draft.artifacts,
            Map.of(),
            draft.body);
    JournalTemplate template = JournalTemplate.of(draft.kind);
    if (template != null) {
      template.check(draft.body);
    }
    if (!exists()) {
      var _ = create();
    }
    append(message);
    return message;
  }

  private static String needed(String field, @Nullable String value, String option) {
    if (value == null || value.isBlank()) {
      throw ParleyException.invalid(
          "missing-" + field.substring(0, field.length() - 2) + "-id",
          "A journal message needs a " + field + ".",
          "Add " + option + ".");
    }
    return value;
  }

  private @Nullable String checkRelation(Draft draft) {
    String relatesTo = draft.relatesTo;
    if (relatesTo == null) {
      if (draft.kind == JournalType.ANSWER) {
        throw ParleyException.invalid(
            "answer-to-nothing",
            "An ANSWER needs the message it answers.",
            "Add --relates-to <messageId>; parley journal read --type QUESTION lists questions.");
      }
      return null;
    }
    boolean known =
        read().messages().stream()
            .anyMatch(placed -> placed.message().messageId().equals(relatesTo));
    if (!known) {
      throw ParleyException.refused(
          "no-such-message",
          "There is no message " + relatesTo + " in " + path + ".",
          "parley journal read lists what is there.");
    }
    return relatesTo;
  }

  /**
   * Appends a message as it is, and checks that it can be read back.
   *
   * @throws ParleyException UNKNOWN if it can't be found afterwards
   */
  void append(JournalMessage message) {
    long before = size();
    ForeignFile.append(path, JournalText.write(message).getBytes(StandardCharsets.UTF_8));
    byte[] added = ForeignFile.read(path, Math.min(before, size()));
    boolean stored =
        JournalReader.read(added, 1, (line, understood, reason) -> {}).stream()
            .anyMatch(placed -> placed.message().equals(message));
    if (!stored) {
      throw new ParleyException(
          ParleyException.Kind.UNKNOWN,
          "journal-changed",
          path + " was changed while " + message.messageId() + " was written to it.",
          "Check with: parley journal read");
    }
  }

  /** Whether nothing was written for as long as a message may stay without an end. */
  boolean isQuiet() {
    try {
      Instant last = Files.getLastModifiedTime(path).toInstant();
      return !last.plus(JournalFollower.PATIENCE).isAfter(Instant.now());
    } catch (IOException e) {
      return false; // the file is gone
    }
  }

  long size() {
    return path.toFile().length();
  }
}
