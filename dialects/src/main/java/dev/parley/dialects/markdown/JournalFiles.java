package dev.parley.dialects.markdown;

import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.dialects.append.AppendedFiles;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.message.Codec;
import dev.parley.dialects.message.ForeignMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
  public ForeignMessage.Found<ForeignMessage> read(
      String name, byte[] added, int linesBefore, FileRemark.Sink remarks) {
    return read(added, linesBefore, false, remarks);
  }

  /**
   * Some writers never end a message. Such a message is complete when nothing was written for a
   * while.
   */
  @Override
  public ForeignMessage.Found<ForeignMessage> readLast(
      String name, byte[] added, int linesBefore, FileRemark.Sink remarks) {
    return read(added, linesBefore, file.isQuiet(), remarks);
  }

  /** Text that is not in the form of a message is not one. */
  @Override
  public boolean isMore(byte[] behind) {
    return !JournalReader.read(behind, 1, (line, understood, reason) -> {}).isEmpty();
  }

  private ForeignMessage.Found<ForeignMessage> read(
      byte[] added, int linesBefore, boolean unfinished, FileRemark.Sink remarks) {
    List<ForeignMessage> read = new ArrayList<>();
    long end = 0;
    for (LocatedMessage placed : JournalReader.read(added, linesBefore, remarks)) {
      if (placed.closed() || unfinished) {
        read.add(new Read(codec, placed.message(), placed.end()));
        end = placed.end();
      }
    }
    return new ForeignMessage.Found<>(read, end);
  }

  private record Read(MarkdownCodec codec, JournalMessage entry, long end)
      implements ForeignMessage {
    @Override
    public String id() {
      return entry.messageId();
    }

    @Override
    public Message.Builder message() {
      return codec.toLog(entry);
    }

    @Override
    public List<String> to() {
      String to = entry.more().get(MarkdownCodec.TO);
      return to == null ? List.of() : FrontMatter.list(to);
    }

    @Override
    public @Nullable String repliesTo() {
      return entry.relatesTo();
    }
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
