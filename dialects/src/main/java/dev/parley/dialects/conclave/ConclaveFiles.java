package dev.parley.dialects.conclave;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.AppendedFiles;
import dev.parley.dialects.Codec;
import dev.parley.dialects.Flock;
import dev.parley.dialects.ForeignFile;
import dev.parley.dialects.Incoming;
import dev.parley.dialects.JsonLineCodec;
import dev.parley.dialects.JsonLines;
import dev.parley.dialects.Remark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private final Path folder;
  private final Topic under;
  private final ConclaveCodec codec;
  private final Map<Path, Numbers> numbers = new HashMap<>();

  public ConclaveFiles(Path folder, Topic under) {
    this.folder = folder;
    this.under = under;
    this.codec = new ConclaveCodec(under);
  }

  @Override
  public Codec<Json> codec() {
    return codec;
  }

  @Override
  public String id(Json message) {
    return codec.id(message);
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
  public Incoming.Found<Incoming> read(
      String name, byte[] added, int linesBefore, Remark.Sink remarks) {
    String topic = topicName(name);
    List<String> owner =
        topic.startsWith(MAIL)
            ? List.of(topic.substring(MAIL.length()).replace('~', '.'))
            : List.of();
    return codec.read(added, linesBefore, remarks, owner);
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
      Numbers known = numbers.computeIfAbsent(file, Numbers::new);
      long next = known.next(Fields.of(message).text("sender", ""));
      Json numbered = JsonLineCodec.with(message, "seq", Json.of(next));
      ForeignFile.append(file, JsonLines.line(numbered, known.endsWithNewline()));
    }
  }
}
