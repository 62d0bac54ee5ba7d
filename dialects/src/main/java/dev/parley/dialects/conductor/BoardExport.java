package dev.parley.dialects.conductor;

import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.ResolutionPage;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.file.IndentedJson;
import dev.parley.dialects.message.JsonLineCodec;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.SyncPass;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes what directors said on the bus, and the board's result, into the files and the queue.
 * Contributions that are still hidden on the bus stay hidden in the files. If a session was opened
 * in the files, its orchestrator writes the session file and announces the result; this class does
 * neither, so nothing is announced twice.
 */
final class BoardExport {
  private final BoardFiles files;
  private final BusAccess bus;
  private final LedgerAnnouncer announcer;

  BoardExport(BoardFiles files, BusAccess bus, LedgerAnnouncer announcer) {
    this.files = files;
    this.bus = bus;
    this.announcer = announcer;
  }

  /**
   * Writes one session into the files.
   *
   * @param current whether the files that name no session belong to this one
   */
  void show(SyncPass pass, BoardSession meeting, boolean current) {
    boolean theirs = BoardImport.opener(pass, meeting.id()) != null;
    if (!theirs) {
      session(pass, meeting);
    }
    Map<String, Json> given = new LinkedHashMap<>();
    if (!meeting.isBlind()) {
      meeting.assessments().forEach((director, one) -> given.put(director, one.write().build()));
    }
    Map<String, Json> cast = new LinkedHashMap<>();
    meeting.ballots().forEach((director, ballot) -> cast.put(director, BoardCodec.vote(ballot)));
    if (current) {
      complete(files.assessments(), given, UnaryOperator.identity());
      complete(files.votes(), cast, this::stamped);
    }
    given.forEach((director, one) -> say(pass, meeting, director, "BOARD_ASSESS", one));
    meeting.remarks().forEach(remark -> say(pass, meeting, remark, current));
    cast.forEach((director, one) -> say(pass, meeting, director, "BOARD_VOTE", one));
    Resolution resolution = meeting.resolution();
    if (resolution != null) {
      resolved(pass, meeting, resolution, theirs);
    }
  }

  private void session(SyncPass pass, BoardSession meeting) {
    Envelope opening = bus.ledgerLine(meeting.opening().after());
    String proposal = opening == null ? "" : Fields.of(opening.payload()).text("proposal", "");
    String started = opening == null ? "" : opening.timestamp();
    Json session = BoardCodec.session(meeting, proposal, started);
    String about = "file:" + meeting.id();
    String what = Fingerprint.hex(session.toString(), 16);
    if (!what.equals(pass.told(about))) {
      ForeignFile.replace(files.session(meeting.id()), IndentedJson.bytes(session));
      pass.tell(about, what);
    }
  }

  /** A vote in Conductor's format, with the time at which the vote is written. */
  private Json stamped(Json vote) {
    return JsonLineCodec.with(vote, "timestamp", Json.of(Timestamps.format(bus.owner().wall())));
  }

  /** Adds to a file what directors said on the bus and the file lacks. */
  private void complete(JsonObjectFile file, Map<String, Json> said, UnaryOperator<Json> written) {
    Map<String, Json> there = file.read();
    Map<String, Json> missing = new LinkedHashMap<>(said);
    missing
        .entrySet()
        .removeIf(one ->
            there == null
                || !isOurs(one.getKey())
                || contains(there.get(one.getKey()), one.getValue()));
    if (!missing.isEmpty()) {
      var _ =
          files.change(
              file,
              fields -> {
                missing.forEach((director, one) -> fields.put(director, written.apply(one)));
                return fields;
              });
    }
  }

  private boolean isOurs(String director) {
    return !bus.isElsewhere(director);
  }

  private static boolean contains(@Nullable Json there, Json said) {
    return there != null && there.fields().entrySet().containsAll(said.fields().entrySet());
  }

  private void say(SyncPass pass, BoardSession meeting, String director, String type, Json said) {
    String about = type + ":" + meeting.id() + "/" + director;
    String what = Fingerprint.hex(said.toString(), 16);
    if (isOurs(director) && !what.equals(pass.told(about))) {
      Json.ObjectBuilder payload = Json.object().put("director", director);
      said.fields().forEach(payload::put);
      payload.put("session_id", meeting.id());
      announcer.say(pass, about, what, Message.builder(director, type).payload(payload.build()));
    }
  }

  private void say(SyncPass pass, BoardSession meeting, Statement remark, boolean current) {
    String id = "ledger@" + remark.position();
    String about = "remark:" + id;
    Envelope envelope = bus.ledgerLine(remark.after());
    if (!isOurs(remark.from()) || envelope == null || pass.told(about) != null) {
      return;
    }
    Json line =
        Json.object()
            .put("id", id)
            .put("session_id", meeting.id())
            .put("from", remark.from())
            .put("to", remark.to())
            .put("type", remark.kind().name())
            .put("message", Fields.of(envelope.payload()).text("body", ""))
            .put("changes_my_verdict", remark.changesVerdict())
            .put("timestamp", envelope.timestamp())
            .build();
    if (current && files.discussion().stream().noneMatch(one -> one.isCalled(id))) {
      files.append(line);
    }
    announcer.say(
        pass, about, "said", Message.builder(remark.from(), "BOARD_DISCUSS").payload(line));
  }

  private void resolved(
      SyncPass pass, BoardSession meeting, Resolution resolution, boolean theirs) {
    String about = "resolved:" + meeting.id();
    if (pass.told(about) == null) {
      String page = String.join("\n", ResolutionPage.of(meeting, resolution)) + "\n";
      ForeignFile.replace(files.resolution(), page.getBytes(StandardCharsets.UTF_8));
      Message.Builder said =
          Message.builder(meeting.opening().by(), "BOARD_RESOLVE")
              .payload(BoardCodec.resolution(meeting, resolution));
      announcer.say(pass, about, resolution.verdict().name(), theirs ? null : said);
    }
  }
}
