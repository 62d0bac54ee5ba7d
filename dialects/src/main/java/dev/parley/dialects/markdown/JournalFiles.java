package dev.parley.dialects.markdown;

import dev.parley.core.Topic;
import dev.parley.dialects.AppendedFiles;
import dev.parley.dialects.Codec;
import dev.parley.dialects.Remark;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A mounted journal: one file, one topic. */
public final class JournalFiles implements AppendedFiles<JournalMessage> {
  private final JournalFile file;
  private final Topic topic;
  private final MarkdownCodec codec = new MarkdownCodec();

  public JournalFiles(Path path, Topic topic) {
    this.file = new JournalFile(path);
    this.topic = topic;
  }

  @Override
  public Codec<JournalMessage> codec() {
    return codec;
  }

  @Override
  public String id(JournalMessage message) {
    return message.messageId();
  }

  @Override
  public List<String> names() {
    return List.of(String.valueOf(file.path().getFileName()));
  }

  @Override
  public Path path(String name) {
    return file.path();
  }

  @Override
  public String fileOf(Topic any) {
    return names().getFirst();
  }

  @Override
  public Topic topicOf(String name) {
    return topic;
  }

  @Override
  public List<Item<JournalMessage>> read(byte[] added, int linesBefore, Remark.Sink remarks) {
    return JournalReader.read(added, linesBefore, remarks).stream()
        .filter(Placed::closed)
        .map(placed -> new Item<>(placed.message(), placed.end()))
        .toList();
  }

  @Override
  public List<String> to(String name, JournalMessage message) {
    String to = message.more().get(MarkdownCodec.TO);
    return to == null ? List.of() : FrontMatter.list(to);
  }

  @Override
  public String repliesTo(JournalMessage message) {
    return Objects.requireNonNullElse(message.relatesTo(), "");
  }

  @Override
  public JournalMessage answering(JournalMessage message, String foreign) {
    return new JournalMessage(
        message.messageId(),
        message.type(),
        message.agent(),
        message.timestamp(),
        message.runId(),
        message.taskId(),
        foreign,
        message.files(),
        message.artifacts(),
        message.more(),
        message.body());
  }

  @Override
  public void append(String name, JournalMessage message) {
    file.append(message);
  }
}
