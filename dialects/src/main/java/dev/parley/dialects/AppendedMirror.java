package dev.parley.dialects;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.dialects.MirrorState.FilePlace;
import dev.parley.filelog.ForeignLimits;
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
 * <p>A file that was changed before the place noted is read from its start, and what was pulled or
 * pushed ever is passed over by its id. What an interrupted round pushed is found in the file and
 * not pushed again.
 *
 * <p>Two topics may be names of the same ({@link AppendedFiles#isAlias}). What the alias has for
 * the file is pulled from there as well, so that the file's own topic has everything.
 */
public final class AppendedMirror<F> implements Mirror {
  private static final int PROOF = 256;

  /** How many messages are looked at for ids that come again. */
  private static final int MOST_IDS = 500_000;

  private final AppendedFiles<F> files;
  private final ForeignLimits limits;
  private final Consumer<Remark> remarks;

  /**
   * @param limits how large messages may be: so far is read to find the end of one
   */
  public AppendedMirror(AppendedFiles<F> files, ForeignLimits limits, Consumer<Remark> remarks) {
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
  public void exchange(Round round) {
    Map<String, Outgoing> pending = new HashMap<>();
    for (Outgoing outgoing : round.outgoing()) {
      pending.put(files.id(message(round, outgoing)), outgoing);
    }
    Set<String> there = new HashSet<>();
    boolean allRead = true;
    for (String name : files.names()) {
      allRead &= pull(round, name, pending, there);
    }
    for (Outgoing outgoing : round.outgoing()) {
      F message = message(round, outgoing);
      String id = files.id(message);
      boolean known = round.state().isPushed(id); // by a round that did not get to the end
      if (!known && there.contains(id)) {
        files.appended(message);
      } else if (!known && allRead) {
        String foreign = answered(round, outgoing.envelope());
        files.append(
            files.fileOf(outgoing.envelope().topic()),
            foreign == null ? message : files.answering(message, foreign));
        there.add(id);
      } else if (!known) {
        round.postpone(outgoing.envelope().topic()); // it may stand in what is not read yet
        continue;
      }
      if (isOfAnotherTopic(outgoing)) {
        round.again(); // so that it is pulled
      } else {
        round.pushed(outgoing, id);
      }
    }
  }

  /** Whether it goes to a file that is another topic's, which shall have it as well. */
  private boolean isOfAnotherTopic(Outgoing outgoing) {
    return outgoing.recipient() == null && files.isAlias(outgoing.envelope().topic());
  }

  private F message(Round round, Outgoing outgoing) {
    Path file = files.path(files.fileOf(outgoing.envelope().topic()));
    return files
        .codec()
        .fromLog(
            round.whole(outgoing, reason -> remarks.accept(new Remark(file, 0, false, reason))));
  }

  /** The foreign id of what an envelope answers, or of what began its conversation. */
  private static @Nullable String answered(Round round, Envelope envelope) {
    String answers = envelope.replyTo() != null ? envelope.replyTo() : envelope.thread();
    return answers == null ? null : round.state().foreignIdOf(answers);
  }

  /** Whether it came to the end of the file. */
  private boolean pull(Round round, String name, Map<String, Outgoing> pending, Set<String> there) {
    Path path = files.path(name);
    FilePlace place = round.state().place(name);
    boolean intact = proof(path, place.offset()).equals(place.proof());
    // One that was changed is read in one round: the next would not know that it was.
    Set<String> known = intact ? Set.of() : round.everPulled(files.topicOf(name));
    long from = intact ? place.offset() : 0;
    try (Pieces pieces = new Pieces(files, name, limits.line(), from, round.portion().bytes())) {
      do {
        Pieces.Piece piece = pieces.current();
        piece.remarks().forEach(remarks);
        if (piece.found().end() > 0) {
          round.carried(piece.read(), piece.found().messages().size());
        }
        if (piece.isFull() && (!intact || !round.isFull())) {
          pieces.lookAhead();
        }
        for (Incoming message : piece.found().messages()) {
          String id = message.id();
          Outgoing waiting = pending.get(id);
          if (waiting != null) {
            there.add(id);
          }
          if (waiting != null && !isOfAnotherTopic(waiting)) {
            continue;
          }
          if (!known.contains(id) && !round.state().isPushed(id)) {
            pull(round, name, message);
          }
        }
      } while (pieces.advance());
      long end = pieces.current().end();
      round.read(name, new FilePlace(end, proof(path, end)));
      return !pieces.current().isFull();
    }
  }

  private void pull(Round round, String name, Incoming message) {
    try {
      round.pull(message, files.topicOf(name));
      files.pulled(message);
    } catch (ParleyException e) {
      if (e.kind() != ParleyException.Kind.INVALID) {
        throw e;
      }
      remarks.accept(
          new Remark(files.path(name), 0, false, "a message is left out: " + e.getMessage()));
    }
  }

  /** What stands just before a place: if that has changed, so may have all before it. */
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
  public void examine(Consumer<Remark> found) {
    files.examine(found);
    Map<String, Integer> known = new HashMap<>();
    for (String name : files.names()) {
      examine(name, known, found);
    }
  }

  /**
   * Says what a mount passes over in a file.
   *
   * @param known what stands under each id, in all the files
   */
  private void examine(String name, Map<String, Integer> known, Consumer<Remark> found) {
    Path path = files.path(name);
    byte[] all = ForeignFile.read(path);
    Incoming.Found<Incoming> read =
        files.readLast(
            name,
            all,
            0,
            (line, understood, reason) -> found.accept(new Remark(path, line, understood, reason)));
    for (Incoming message : read.messages()) {
      String reason = passedOver(message, known);
      if (reason != null) {
        found.accept(new Remark(path, 0, false, reason));
      }
    }
    if (files.isMore(Arrays.copyOfRange(all, (int) read.end(), all.length))) {
      found.accept(
          new Remark(path, 0, false, "what stands last has no end: it is read once it has one"));
    }
  }

  /** Why a message is not taken into the log; null if it is. */
  private @Nullable String passedOver(Incoming message, Map<String, Integer> known) {
    String id = message.id();
    if (id.length() > limits.id()) {
      return "the id of a message has "
          + id.length()
          + " characters; this bus takes at most "
          + limits.id()
          + " (maxForeignId)";
    }
    try {
      Message what = message.message().build();
      int content = Objects.hash(what.type(), what.sender(), what.payload());
      Integer before = known.size() < MOST_IDS ? known.putIfAbsent(id, content) : null;
      return before != null && before != content
          ? "the id " + id + " is there twice with different texts: only the first is taken"
          : null;
    } catch (ParleyException e) {
      return "a message is left out: " + e.getMessage();
    }
  }
}
