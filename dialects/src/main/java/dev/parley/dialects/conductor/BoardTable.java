package dev.parley.dialects.conductor;

import dev.parley.coordination.board.Meeting;
import dev.parley.dialects.BusSide;
import dev.parley.dialects.Round;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the files of {@code board/} and the boards of the ledger in step, so that some directors
 * can take part through files and others through the bus; the ledger decides.
 *
 * <p>{@code assessments.json}, {@code votes.json} and {@code discussion.jsonl} do not say which
 * session they are about: they are about the newest that is open, and after that about the same
 * until another is.
 */
final class BoardTable {
  /** Which session the files are about. */
  private static final String CURRENT = "board";

  private final BusSide bus;
  private final BoardFiles files;
  private final BoardHearing hearing;
  private final BoardShowing showing;

  BoardTable(Path folder, BusSide bus, Herald herald) {
    this.bus = bus;
    this.files = new BoardFiles(folder, bus.remarks());
    this.hearing = new BoardHearing(files, bus);
    this.showing = new BoardShowing(files, bus, herald);
  }

  void exchange(Round round) {
    if (!files.exist()) {
      return;
    }
    hearing.open(round);
    Meeting newest = newestOpen();
    if (newest != null && begin(round, newest.id())) {
      hearing.hear(round, newest.id());
    }
    for (Meeting meeting : meetings()) {
      hearing.resolve(round, meeting);
      showing.show(round, meeting, meeting.id().equals(round.told(CURRENT)));
    }
  }

  private List<Meeting> meetings() {
    return bus.clerk().look(ledger -> List.copyOf(ledger.boards().all()));
  }

  private @Nullable Meeting newestOpen() {
    Meeting newest = null;
    for (Meeting meeting : meetings()) {
      newest = meeting.phase().isDecided() ? newest : meeting;
    }
    return newest;
  }

  /**
   * Makes the files be about a session. What stands there is of an earlier one, unless this one was
   * opened there, or they were about it before a round was interrupted.
   */
  private boolean begin(Round round, String board) {
    boolean begun =
        board.equals(round.told(CURRENT))
            || BoardHearing.opener(round, board) != null
            || Files.exists(files.session(board))
            || clear(round);
    if (begun) {
      round.tell(CURRENT, board);
    }
    return begun;
  }

  private boolean clear(Round round) {
    Map<String, @Nullable String> heard = new LinkedHashMap<>();
    files.discussion().forEach(line -> heard.put(line.heard(), "heard"));
    heard.keySet().removeIf(line -> round.told(line) != null);
    if (!heard.isEmpty()) {
      bus.tell(
          heard); // before the session shows: then whoever goes on takes what is there for its own
      heard.forEach(round::tell);
    }
    return files.change(files.assessments(), fields -> new LinkedHashMap<>())
        && files.change(files.votes(), fields -> new LinkedHashMap<>());
  }
}
