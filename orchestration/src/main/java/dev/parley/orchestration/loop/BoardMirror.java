package dev.parley.orchestration.loop;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.dialects.conclave.ConclaveFiles;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.message.ForeignMessage;
import dev.parley.dialects.message.JsonLineCodec;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a bulletin and a board folder of Conclave in step, so that workers of both take part in the
 * same wave.
 *
 * <pre>
 * files ──▶ bulletin   each message of each *.jsonl in the folder, once: its key says which it was
 * bulletin ──▶ file    each message that did not come from there, once, under the file's flock
 * </pre>
 *
 * <p>What was transferred is recorded only in the bulletin and the files themselves, so a restarted
 * process transfers nothing twice. Safe for use by many threads.
 */
public final class BoardMirror {
  private static final String KEY = "board/";
  private static final String BOARD_TYPES = "board.";
  private static final String SUFFIX = ".jsonl";
  private static final int LONGEST_ID = 150;

  private final Log log;
  private final Topic bulletin;
  private final Path folder;
  private final @Nullable String board;
  private final ConclaveFiles files;
  private final Consumer<String> trouble;
  private final Map<String, Long> read = new HashMap<>();
  private final Set<String> known = new HashSet<>();
  private final Set<String> inFiles = new HashSet<>();
  private final List<Envelope> waiting = new ArrayList<>();
  private Bookmark place = Bookmark.START;
  private String told = "";

  /**
   * @param board the topic that is written to; null to read the folder only
   * @param trouble is told what is wrong with the folder; the work continues without it
   */
  public BoardMirror(
      Log log, Topic bulletin, Path folder, @Nullable String board, Consumer<String> trouble) {
    this.log = log;
    this.bulletin = bulletin;
    this.folder = folder;
    this.board = board;
    this.files = new ConclaveFiles(folder, Prefix.of("conclave"));
    this.trouble = trouble;
  }

  /**
   * Transfers what is new on either side.
   *
   * @return whether anything was
   */
  public synchronized boolean exchange() {
    try {
      boolean news = readBulletin();
      news |= pull();
      return push() || news;
    } catch (ParleyException e) {
      ForeignFile.checkIsTrouble(e);
      String what = Explanation.messageOf(e);
      if (!told.equals(what)) {
        told = what;
        trouble.accept(told);
      }
      return false;
    }
  }

  private boolean readBulletin() {
    boolean news = false;
    for (Batch batch : WholeTopic.batches(log, bulletin, place)) {
      for (Envelope envelope : batch.envelopes()) {
        news = true;
        String key = envelope.key();
        known.add(envelope.id());
        if (key != null && key.startsWith(KEY)) {
          known.add(key);
        } else if (board != null && envelope.type().startsWith(BOARD_TYPES)) {
          waiting.add(envelope);
        }
      }
      place = batch.next();
    }
    return news;
  }

  private boolean pull() {
    boolean news = false;
    for (String name : names()) {
      Path file = folder.resolve(name);
      long from = read.getOrDefault(name, 0L);
      byte[] added = ForeignFile.read(file, from);
      if (added.length == 0 && from > size(file)) {
        read.put(name, 0L); // the file was replaced
        added = ForeignFile.read(file);
      }
      ForeignMessage.Found<ForeignMessage> found =
          files.read(
              name,
              added,
              0,
              (line, understood, reason) -> {
                if (!understood) {
                  trouble.accept(file + ": a line is left out: " + reason);
                }
              });
      for (ForeignMessage message : found.messages()) {
        inFiles.add(message.id());
        news |= pull(file, message);
      }
      read.merge(name, found.end(), Long::sum);
    }
    return news;
  }

  private boolean pull(Path file, ForeignMessage message) {
    String key = key(message.id());
    if (known.contains(message.id()) || known.contains(key)) {
      return false;
    }
    try {
      var _ = log.append(bulletin, message.message().key(key).build());
      known.add(key);
      return true;
    } catch (ParleyException e) {
      if (e.kind() != ParleyException.Kind.INVALID) {
        throw e;
      }
      known.add(key);
      trouble.accept(file + ": a message is left out: " + Explanation.messageOf(e));
      return false;
    }
  }

  private static String key(String id) {
    return KEY + (id.length() <= LONGEST_ID ? id : Fingerprint.hex(id, 32));
  }

  private boolean push() {
    boolean news = false;
    while (board != null && !waiting.isEmpty()) {
      Envelope envelope = waiting.getFirst();
      if (!inFiles.contains(envelope.id())) {
        Json message = JsonLineCodec.with(files.codec().fromLog(envelope), "topic", Json.of(board));
        files.append(board + SUFFIX, message);
        inFiles.add(envelope.id());
        news = true;
      }
      waiting.removeFirst();
    }
    return news;
  }

  /** The files directly in the folder, which are those that the other tool reads. */
  private List<String> names() {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(SUFFIX) && !name.startsWith("."))
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw ForeignFile.trouble("Reading", folder, new IOException(e));
    } catch (IOException e) {
      throw ForeignFile.trouble("Reading", folder, e);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }
}
