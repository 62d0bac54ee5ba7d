package dev.parley.dialects.conclave;

import dev.parley.coordination.bulletin.BulletinAlias;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.append.AppendedFiles;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.file.Flock;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.message.Codec;
import dev.parley.dialects.message.ForeignMessage;
import dev.parley.dialects.message.JsonLineCodec;
import dev.parley.dialects.message.JsonLinesFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A mounted bus folder: {@code <topic>.jsonl} each, the boards of waves in folders of their own.
 *
 * <pre>
 * file                                                topic in Conclave
 * --------------------------------------------------  ---------------------------
 * parallel.wave-0.board.jsonl, wave-0/board.jsonl     parallel.wave-0.board
 * mail.claude.jsonl                                   mail.claude: for claude only
 * </pre>
 */
public final class ConclaveFiles implements AppendedFiles<Json> {
  private static final String SUFFIX = ConclaveTopics.SUFFIX;
  private static final String MAIL = "mail.";

  /** Conclave's own subscribers stop for good at a longer line. In bytes, newline included. */
  private static final int LONGEST_LINE = (64 << 10) - 1;

  /** How many characters of a longer payload stay in the line. */
  private static final int PREVIEW = 2_000;

  /** How many folders deep files are searched for. */
  private static final int DEPTH = 8;

  private final Path folder;
  private final ConclaveTopics topics;
  private final ConclaveCodec codec;
  private final Map<Path, SenderSequences> numbers = new HashMap<>();

  /**
   * @param scope the prefix of Conclave's topics on the bus
   */
  public ConclaveFiles(Path folder, Prefix scope) {
    this.folder = folder;
    this.topics = new ConclaveTopics(scope);
    this.codec = new ConclaveCodec(scope);
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
    try (Stream<Path> files = Files.walk(folder, DEPTH)) {
      return files
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .filter(file -> folder.resolve(folder.relativize(file).toString()).equals(file)) // UTF-8
          .map(file -> folder.relativize(file).toString())
          .filter(name -> name.endsWith(SUFFIX) && !isHidden(name))
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw ForeignFile.trouble("Reading", folder, new IOException(e)); // it vanished meanwhile
    } catch (IOException e) {
      throw ForeignFile.trouble("Reading", folder, e);
    }
  }

  /** Symbolic links are skipped, because their targets were never mounted. */
  @Override
  public void examine(Consumer<FileRemark> found) {
    Set<Path> read = names().stream().map(folder::resolve).collect(Collectors.toSet());
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(file -> file.toString().endsWith(SUFFIX) && !read.contains(file))
          .forEach(file -> found.accept(new FileRemark(file, 0, false, whyLeftAlone(file))));
    } catch (UncheckedIOException e) {
      throw ForeignFile.trouble("Reading", folder, new IOException(e));
    } catch (IOException e) {
      throw ForeignFile.trouble("Reading", folder, e);
    }
  }

  private String whyLeftAlone(Path file) {
    Path name = folder.relativize(file);
    return Files.isSymbolicLink(file)
        ? "is a symbolic link, and left alone"
        : Files.isDirectory(file)
            ? "is a folder, not a file"
            : name.getNameCount() > DEPTH
                ? "lies more than " + DEPTH + " folders deep, and is not read"
                : isHidden(name.toString())
                    ? "is hidden, and not read"
                    : "has a name that is not UTF-8, and is not read";
  }

  private static boolean isHidden(String name) {
    return name.startsWith(".") || name.contains("/.");
  }

  @Override
  public Path path(String name) {
    return folder.resolve(name);
  }

  @Override
  public String fileOf(Topic topic) {
    String foreign = topics.foreign(topic);
    String there = "";
    for (String name : names()) {
      boolean same =
          topics.ofFile(name).equals(topic) || ConclaveTopics.foreignName(name).equals(foreign);
      if (same && (there.isEmpty() || name.contains("/"))) {
        there = name; // a wave's workers read only the folder of their wave
      }
    }
    if (!there.isEmpty()) {
      return there;
    }
    String[] parts = foreign.split("\\.", -1);
    boolean wave = parts.length > 1 && Files.isDirectory(folder.resolve(parts[1]));
    return (wave ? parts[1] + "/" : "") + foreign + SUFFIX;
  }

  /** Conclave also has a topic of its own for each board, and programs may publish to it. */
  @Override
  public boolean isAlias(Topic topic) {
    Topic board = topics.ofFile(fileOf(topic));
    return !board.equals(topic) && new Prefix(BulletinAlias.bulletins()).covers(board);
  }

  @Override
  public Topic topicOf(String name) {
    return topics.ofFile(name);
  }

  @Override
  public ForeignMessage.Found<ForeignMessage> read(
      String name, byte[] added, int linesBefore, FileRemark.Sink remarks) {
    String topic = ConclaveTopics.foreignName(name);
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

  /** Appends under the file's lock, with the sender's next sequence number. */
  @Override
  public void append(String name, Json message) {
    Path file = path(name);
    try (Flock _ = Flock.take(file)) {
      SenderSequences known = numbers.computeIfAbsent(file, SenderSequences::new);
      long next = known.next(Fields.of(message).text("sender", ""));
      Json numbered = JsonLineCodec.with(message, "seq", Json.of(next));
      byte[] line = JsonLinesFormat.line(numbered, known.endsWithNewline());
      ForeignFile.append(
          file,
          line.length <= LONGEST_LINE
              ? line
              : JsonLinesFormat.line(referring(numbered), known.endsWithNewline()));
    }
  }

  /**
   * The same message with its payload in a separate file, and the payload's beginning in the line.
   */
  private Json referring(Json message) {
    String payload = Fields.of(message).values().getOrDefault("payload", Json.NULL).toString();
    if (payload.length() < PREVIEW) {
      return message; // something other than the payload is long
    }
    String name = ".payload-" + Fingerprint.hex(payload, 32) + ".json";
    ForeignFile.create(folder.resolve(name), payload.getBytes(StandardCharsets.UTF_8));
    boolean halved = Character.isHighSurrogate(payload.charAt(PREVIEW - 1));
    Json reference =
        Json.object()
            .put("text", payload.substring(0, halved ? PREVIEW - 1 : PREVIEW))
            .put("file", name)
            .put("characters", payload.length())
            .build();
    return JsonLineCodec.with(message, "payload", reference);
  }
}
