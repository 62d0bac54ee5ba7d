package dev.parley.dialects.append;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.message.ForeignMessage;
import dev.parley.dialects.sync.Mirror;
import dev.parley.dialects.sync.MirrorState;
import dev.parley.dialects.sync.MirrorState.FilePlace;
import dev.parley.dialects.sync.OutgoingMessage;
import dev.parley.dialects.sync.SyncPass;
import dev.parley.filelog.ImportLimits;
import dev.parley.text.Explanation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Mirrors files that are only ever appended to.
 *
 * <p>If a file was changed before the noted place, it is read from its start, and everything ever
 * pulled or pushed is skipped by its id. A message that an interrupted pass pushed is found in the
 * file and not pushed again.
 *
 * <p>Two topics may share one file ({@link AppendedFiles#isAlias}). What the alias writes to the
 * file is pulled from there as well, so that the file's own topic has everything.
 */
public final class AppendedMirror<F> implements Mirror {
  private static final int PROOF = 256;

  /** How many messages are checked for repeated ids. */
  private static final int MOST_IDS = 500_000;

  private final AppendedFiles<F> files;
  private final ImportLimits limits;
  private final Consumer<FileRemark> remarks;

  /**
   * @param limits how large messages may be; reading stops there if a message has no end
   */
  public AppendedMirror(AppendedFiles<F> files, ImportLimits limits, Consumer<FileRemark> remarks) {
    this.files = files;
    this.limits = limits;
    this.remarks = remarks;
  }

  @Override
  public List<Path> folders() {
    Set<Path> folders = new LinkedHashSet<>(files.folders());
    for (String name : files.names()) {
      Path folder = files.path(name).toAbsolutePath().getParent();
      if (folder != null) {
        folders.add(folder);
      }
    }
    return List.copyOf(folders);
  }

  @Override
  public void exchange(SyncPass pass) {
    Map<String, OutgoingMessage> pending = new HashMap<>();
    for (OutgoingMessage outgoing : pass.outgoing()) {
      pending.put(files.id(message(pass, outgoing)), outgoing);
    }
    Set<String> there = new HashSet<>();
    boolean allRead = true;
    for (String name : files.names()) {
      allRead &= pull(pass, name, pending, there);
    }
    for (OutgoingMessage outgoing : pass.outgoing()) {
      F message = message(pass, outgoing);
      String id = files.id(message);
      boolean known = pass.state().isPushed(id); // by an interrupted pass
      if (!known && there.contains(id)) {
        files.appended(message);
      } else if (!known && allRead) {
        String foreign = answered(pass, outgoing.envelope());
        files.append(
            files.fileOf(outgoing.envelope().topic()),
            foreign == null ? message : files.answering(message, foreign));
        there.add(id);
      } else if (!known) {
        pass.postpone(outgoing.envelope().topic()); // may be in the part that is not read yet
        continue;
      }
      if (isOfAnotherTopic(outgoing)) {
        pass.again(); // so that it is pulled
      } else {
        pass.pushed(outgoing, id);
      }
    }
  }

  /** Whether the envelope goes to a file whose own topic is another one, which gets it as well. */
  private boolean isOfAnotherTopic(OutgoingMessage outgoing) {
    return outgoing.recipient() == null && files.isAlias(outgoing.envelope().topic());
  }

  private F message(SyncPass pass, OutgoingMessage outgoing) {
    Path file = files.path(files.fileOf(outgoing.envelope().topic()));
    return files
        .codec()
        .fromLog(
            pass.whole(outgoing, reason -> remarks.accept(new FileRemark(file, 0, false, reason))));
  }

  /**
   * The foreign id of the message that an envelope answers, or of its conversation's first message.
   */
  private static @Nullable String answered(SyncPass pass, Envelope envelope) {
    String answers = envelope.replyTo() != null ? envelope.replyTo() : envelope.thread();
    return answers == null ? null : pass.state().foreignIdOf(answers);
  }

  /** Returns whether it reached the end of the file. */
  private boolean pull(
      SyncPass pass, String name, Map<String, OutgoingMessage> pending, Set<String> there) {
    Path path = files.path(name);
    FilePlace place = pass.state().place(name);
    boolean intact = proof(path, place.offset()).equals(place.proof());
    // A rewritten file is read in one pass, because the next pass would not know of the change.
    Set<String> known = intact ? Set.of() : pass.everPulled(files.topicOf(name));
    long from = intact ? place.offset() : 0;
    try (FileChunks chunks =
        new FileChunks(files, name, limits.line(), from, pass.budget().bytes())) {
      do {
        FileChunks.Chunk chunk = chunks.current();
        chunk.remarks().forEach(remarks);
        if (chunk.found().end() > 0) {
          pass.carried(chunk.read(), chunk.found().messages().size());
        }
        if (chunk.isFull() && (!intact || !pass.isFull())) {
          chunks.lookAhead();
        }
        for (ForeignMessage message : chunk.found().messages()) {
          String id = message.id();
          OutgoingMessage waiting = pending.get(id);
          if (waiting != null) {
            there.add(id);
          }
          if (waiting != null && !isOfAnotherTopic(waiting)) {
            continue;
          }
          if (!known.contains(id) && !pass.state().isPushed(id)) {
            pull(pass, name, message);
          }
        }
      } while (chunks.advance());
      long end = chunks.current().end();
      pass.read(name, new FilePlace(end, proof(path, end)));
      return !chunks.current().isFull();
    }
  }

  private void pull(SyncPass pass, String name, ForeignMessage message) {
    try {
      pass.pull(message, files.topicOf(name));
      files.pulled(message);
    } catch (ParleyException e) {
      if (e.kind() != ParleyException.Kind.INVALID) {
        throw e;
      }
      remarks.accept(
          new FileRemark(
              files.path(name), 0, false, "a message was skipped: " + Explanation.messageOf(e)));
    }
  }

  /** A hash of the bytes just before a place. If it has changed, anything before may have. */
  private static String proof(Path path, long at) {
    long from = Math.max(0, at - PROOF);
    byte[] tail = ForeignFile.read(path, from, at - from);
    return at == 0 ? "" : Fingerprint.hex(new String(tail, StandardCharsets.ISO_8859_1), 16);
  }

  @Override
  public long unread(MirrorState state) {
    long bytes = 0;
    for (String name : files.names()) {
      byte[] behind = ForeignFile.read(files.path(name), state.place(name).offset());
      bytes += files.isMore(behind) ? behind.length : 0;
    }
    return bytes;
  }

  @Override
  public void examine(Consumer<FileRemark> found) {
    files.examine(found);
    Map<String, Integer> known = new HashMap<>();
    for (String name : files.names()) {
      examine(name, known, found);
    }
  }

  /**
   * Reports what a mount skips in a file.
   *
   * @param known what has each id, in all files
   */
  private void examine(String name, Map<String, Integer> known, Consumer<FileRemark> found) {
    Path path = files.path(name);
    byte[] all = ForeignFile.read(path);
    ForeignMessage.Found<ForeignMessage> read =
        files.readLast(
            name,
            all,
            0,
            (line, understood, reason) ->
                found.accept(new FileRemark(path, line, understood, reason)));
    for (ForeignMessage message : read.messages()) {
      String reason = passedOver(message, known);
      if (reason != null) {
        found.accept(new FileRemark(path, 0, false, reason));
      }
    }
    if (files.isMore(Arrays.copyOfRange(all, (int) read.end(), all.length))) {
      found.accept(
          new FileRemark(
              path, 0, false, "the last record is incomplete; it is read once it is complete"));
    }
  }

  /** Why a message is not taken into the log, or what of it is ignored; null if it counts. */
  private @Nullable String passedOver(ForeignMessage message, Map<String, Integer> known) {
    String id = message.id();
    String tooLong = ForeignMessage.tooLong(id, limits);
    if (tooLong != null) {
      return tooLong;
    }
    try {
      Message what = message.message().build();
      int content = Objects.hash(what.type(), what.sender(), what.payload());
      Integer before = known.size() < MOST_IDS ? known.putIfAbsent(id, content) : null;
      return before != null && before != content
          ? "the id " + id + " occurs twice with different texts; only the first is read"
          : files.ignored(message);
    } catch (ParleyException e) {
      return "a message was skipped: " + Explanation.messageOf(e);
    }
  }
}
