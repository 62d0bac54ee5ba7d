package dev.parley.dialects.conductor;

import dev.parley.coordination.board.BoardSession;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.SyncPass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the files of {@code board/} and the boards of the ledger in step, so that some directors
 * can use the files and others the bus. The ledger decides.
 *
 * <p>{@code assessments.json}, {@code votes.json} and {@code discussion.jsonl} name no session.
 * They belong to the newest open session, and after its end still to that session until another one
 * opens.
 */
final class BoardTable {
  /** Note: the session that the files belong to. */
  private static final String CURRENT = "board";

  private final BusAccess bus;
  private final BoardFiles files;
  private final BoardImport importer;
  private final BoardExport exporter;

  BoardTable(Path folder, BusAccess bus, LedgerAnnouncer announcer) {
    this.bus = bus;
    this.files = new BoardFiles(folder, bus.remarks());
    this.importer = new BoardImport(files, bus);
    this.exporter = new BoardExport(files, bus, announcer);
  }

  void exchange(SyncPass pass) {
    if (!files.exist()) {
      return;
    }
    importer.open(pass);
    BoardSession newest = newestOpen();
    if (newest != null && begin(pass, newest.id())) {
      importer.hear(pass, newest.id());
    }
    for (BoardSession meeting : meetings()) {
      importer.resolve(pass, meeting);
      exporter.show(pass, meeting, meeting.id().equals(pass.told(CURRENT)));
    }
  }

  private List<BoardSession> meetings() {
    return bus.owner().look(ledger -> List.copyOf(ledger.boards().all()));
  }

  private @Nullable BoardSession newestOpen() {
    BoardSession newest = null;
    for (BoardSession meeting : meetings()) {
      newest = meeting.phase().isDecided() ? newest : meeting;
    }
    return newest;
  }

  /**
   * Makes a session the one that the files belong to. Their content is of an earlier session and is
   * cleared, unless this session was opened in the files or an interrupted pass had already begun
   * it.
   */
  private boolean begin(SyncPass pass, String board) {
    boolean begun =
        board.equals(pass.told(CURRENT))
            || BoardImport.opener(pass, board) != null
            || Files.exists(files.session(board))
            || clear(pass);
    if (begun) {
      pass.tell(CURRENT, board);
    }
    return begun;
  }

  private boolean clear(SyncPass pass) {
    Map<String, @Nullable String> heard = new LinkedHashMap<>();
    files.discussion().forEach(line -> heard.put(line.heard(), "heard"));
    heard.keySet().removeIf(line -> pass.told(line) != null);
    if (!heard.isEmpty()) {
      bus.tell(
          heard); // before the session shows: then whoever goes on takes what is there for its own
      heard.forEach(pass::tell);
    }
    return files.change(files.assessments(), fields -> new LinkedHashMap<>())
        && files.change(files.votes(), fields -> new LinkedHashMap<>());
  }
}
