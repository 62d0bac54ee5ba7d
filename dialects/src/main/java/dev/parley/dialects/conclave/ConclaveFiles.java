package dev.parley.dialects.conclave;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.AppendedFiles;
import dev.parley.dialects.Codec;
import dev.parley.dialects.ForeignFile;
import dev.parley.dialects.JsonLineCodec;
import dev.parley.dialects.JsonLines;
import dev.parley.dialects.Remark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A mounted bus folder: {@code <topic>.jsonl} each, the boards of waves in folders of their own.
 *
 * <pre>
 * parallel.wave-0.board.jsonl, wave-0/board.jsonl     parallel.wave-0.board
 * mail.claude.jsonl                                   what is for claude alone
 * </pre>
 */
public final class ConclaveFiles implements AppendedFiles<Json> {
  private static final String SUFFIX = ".jsonl";
  private static final String MAIL = "mail.";
  private static final Pattern OURS = Pattern.compile("[a-z2-7]{16}-[0-9]+");

  private final Path folder;
  private final Topic under;
  private final ConclaveCodec codec;

  public ConclaveFiles(Path folder, Topic under) {
    this.folder = folder;
    this.under = under;
    this.codec = new ConclaveCodec(under);
  }

  @Override
  public Codec<Json> codec() {
    return codec;
  }

  /** An id of the design is a process's number and a count: it comes again, at another time. */
  @Override
  public String id(Json message) {
    Fields fields = Fields.of(message);
    String id = fields.text("id", "");
    return OURS.matcher(id).matches() ? id : id + " " + fields.text("timestamp", "");
  }

  @Override
  public List<Path> folders() {
    return List.of(folder);
  }

  @Override
  public List<String> names() {
    try (Stream<Path> files = Files.walk(folder, 2)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .filter(name ->
              !name.startsWith(".") && name.endsWith(SUFFIX) && Topic.isValid(topicName(name)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw ForeignFile.trouble("Reading", folder, e);
    }
  }

  @Override
  public Path path(String name) {
    return folder.resolve(name);
  }

  /** What the design calls the topic of a file. */
  private static String topicName(String name) {
    int slash = name.lastIndexOf('/');
    String topic = name.substring(slash + 1, name.length() - SUFFIX.length());
    return slash > 0 && topic.equals("board")
        ? "parallel." + name.substring(0, slash) + ".board"
        : topic;
  }

  @Override
  public String fileOf(Topic topic) {
    String foreign = codec.foreign(topic);
    for (String name : names()) {
      if (topicName(name).equals(foreign)) {
        return name;
      }
    }
    String[] parts = foreign.split("\\.", -1);
    boolean wave = parts.length > 1 && Files.isDirectory(folder.resolve(parts[1]));
    return (wave ? parts[1] + "/" : "") + foreign + SUFFIX;
  }

  @Override
  public Topic topicOf(String name) {
    return new Topic(under.name() + "." + topicName(name));
  }

  @Override
  public List<Item<Json>> read(byte[] added, int linesBefore, Remark.Sink remarks) {
    return JsonLines.read(added, linesBefore, remarks);
  }

  @Override
  public List<String> to(String name, Json message) {
    List<String> named = JsonLineCodec.to(message);
    String topic = topicName(name);
    return named.isEmpty() && topic.startsWith(MAIL)
        ? List.of(topic.substring(MAIL.length()).replace('~', '.'))
        : named;
  }

  @Override
  public String repliesTo(Json message) {
    return JsonLineCodec.repliesTo(message);
  }

  @Override
  public Json answering(Json message, String foreign) {
    int blank = foreign.indexOf(' ');
    return JsonLineCodec.with(
        message, "replyTo", Json.of(blank < 0 ? foreign : foreign.substring(0, blank)));
  }

  /** Under the file's lock, with the next number of its sender. */
  @Override
  public void append(String name, Json message) {
    Path file = path(name);
    try (Flock _ = Flock.take(file)) {
      byte[] before = ForeignFile.read(file);
      boolean ends = before.length == 0 || before[before.length - 1] == '\n';
      String sender = Fields.of(message).text("sender", "");
      long last = 0;
      for (Item<Json> item : JsonLines.read(before, 0, (line, understood, reason) -> {})) {
        Fields fields = Fields.of(item.message());
        if (sender.equals(fields.text("sender"))) {
          last = Math.max(last, fields.number("seq", 0));
        }
      }
      Json numbered = JsonLineCodec.with(message, "seq", Json.of(last + 1));
      ForeignFile.append(file, JsonLines.line(numbered, ends));
    }
  }
}
