package dev.parley.cli.board;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Condition;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.board.ReachedPhase;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.ResolutionPage;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.work.BoardReader;
import dev.parley.json.BoardJson;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Prints board sessions. Blind assessments are never printed. */
final class BoardText {
  private BoardText() {}

  static void list(Output out, List<BoardSession> meetings, Times times) {
    if (out.isJson()) {
      meetings.forEach(meeting -> out.line(BoardJson.summary(meeting, times.inJson()).build()));
      return;
    }
    if (meetings.isEmpty()) {
      out.line("No sessions. Open one: parley board open EVALUATE_PLAN --proposal <file>");
      return;
    }
    Table table = new Table();
    table.row("SESSION", "PHASE", "SINCE", "CHECKPOINT", "VERDICT", "MISSING");
    for (BoardSession meeting : meetings) {
      Resolution resolution = meeting.resolution();
      table.row(
          meeting.id(),
          phase(meeting),
          times.ago(meeting.stage().since()),
          Printable.text(meeting.agenda().checkpoint()),
          resolution == null ? "-" : resolution.verdict().name(),
          String.join(", ", meeting.missing()));
    }
    table.print(out);
  }

  private static String phase(BoardSession meeting) {
    return meeting.phase()
        + (meeting.phase() == Phase.DISCUSS
            ? " " + meeting.stage().round() + "/" + meeting.agenda().rounds()
            : "");
  }

  /** Prints the phase of a session after a contribution. */
  static void standing(Output out, BoardReader reader, ReachedPhase standing) {
    if (out.isJson()) {
      out.line(BoardJson.standing(standing));
      return;
    }
    BoardSession meeting = reader.meeting(standing.board());
    out.line(
        standing.board()
            + " is in phase "
            + standing.phase()
            + (standing.round() == 0 ? "" : ", round " + standing.round())
            + missing(meeting)
            + ".");
    carried(out, reader, meeting);
    out.line("Next: " + next(meeting));
  }

  private static String missing(BoardSession meeting) {
    List<String> missing = meeting.missing();
    return missing.isEmpty() ? "" : "; it waits for " + String.join(", ", missing);
  }

  private static String next(BoardSession meeting) {
    String board = meeting.id();
    return switch (meeting.phase()) {
      case ASSESS -> "parley board assess " + board + " --verdict … --score …";
      case DISCUSS ->
          "parley board show " + board + ", then parley board discuss " + board + " --kind …";
      case VOTE -> "parley board vote " + board + " --verdict … --confidence …";
      case RESOLVE, COMPLETE -> "parley board resolve " + board;
    };
  }

  /** Prints the discussion, as one elector or anybody may see it. */
  static void discussion(
      Output out, BoardReader reader, BoardSession meeting, @Nullable String to) {
    List<Statement> remarks =
        meeting.remarks().stream().filter(remark -> to == null || remark.isFor(to)).toList();
    for (Statement remark : remarks) {
      String body = reader.body(remark);
      if (out.isJson()) {
        out.line(BoardJson.remark(meeting, remark, body));
      } else {
        out.line(
            out.styled(Style.BOLD, remark.from() + " → " + remark.to())
                + "  "
                + remark.kind()
                + ", round "
                + remark.round()
                + (remark.changesVerdict() ? ", changed its verdict" : ""));
        indented(out, body);
      }
    }
    if (remarks.isEmpty() && !out.isJson()) {
      out.line("Nothing was said" + (to == null ? "" : " to " + Printable.text(to)) + " yet.");
    }
  }

  private static void indented(Output out, String text) {
    text.lines().forEach(line -> out.line("  " + Printable.text(line)));
  }

  static void whole(Output out, BoardReader reader, BoardSession meeting, Times times) {
    if (out.isJson()) {
      out.line(BoardJson.whole(reader, meeting, times.inJson()));
      return;
    }
    out.line(
        out.styled(Style.BOLD, meeting.id())
            + "  "
            + Printable.text(meeting.agenda().checkpoint())
            + "  "
            + phase(meeting)
            + missing(meeting));
    Table table = new Table();
    table.row(
        "  opened", "by " + meeting.opening().by() + ", ledger@" + meeting.opening().position());
    table.row("  policy", meeting.agenda().policy().toString());
    if (meeting.stage().ends() != null) {
      table.row(
          "  ends",
          times.clock(Objects.requireNonNull(meeting.stage().ends()))
              + " at the latest; it waits for "
              + meeting.agenda().missing().word());
    }
    table.lines(out.width()).forEach(out::line);
    String proposal = reader.proposal(meeting);
    if (!proposal.isBlank()) {
      out.line("Proposal");
      indented(out, proposal);
    }
    electors(out, meeting);
    carried(out, reader, meeting);
    if (!meeting.remarks().isEmpty()) {
      out.line("Discussion");
      discussion(out, reader, meeting, null);
    }
    if (meeting.resolution() != null) {
      resolution(out, meeting, false);
    } else {
      out.line("Next: " + next(meeting));
    }
  }

  private static void electors(Output out, BoardSession meeting) {
    Table table = new Table();
    table.row("DIRECTOR", "ASSESSMENT", "SCORE", "VOTE", "CONFIDENCE");
    for (String elector : meeting.agenda().electorate()) {
      Assessment assessment = meeting.assessments().get(elector);
      Ballot ballot = meeting.ballots().get(elector);
      boolean hidden = meeting.isBlind();
      table.row(
          elector,
          assessment == null ? "-" : hidden ? "given" : assessment.opinion().name(),
          assessment == null || hidden ? "-" : Integer.toString(assessment.score()),
          ballot == null ? "-" : ballot.vote().name(),
          ballot == null ? "-" : ballot.confidence().toString());
    }
    table.print(out);
    if (meeting.isBlind()) {
      out.line("Assessments are hidden until all are submitted.");
      return;
    }
    meeting
        .assessments()
        .forEach((elector, assessment) -> {
          items(out, elector + " is concerned: ", assessment.concerns());
          items(out, elector + " recommends: ", assessment.recommendations());
        });
  }

  private static void items(Output out, String before, List<String> items) {
    items.forEach(item -> out.line("  " + before + Printable.text(item)));
  }

  private static void carried(Output out, BoardReader reader, BoardSession meeting) {
    List<BoardReader.Carried> carried = reader.carried(meeting);
    if (carried.isEmpty() || meeting.phase().isDecided()) {
      return;
    }
    out.line("Conditions of earlier sessions");
    for (BoardReader.Carried one : carried) {
      Condition.Check check = one.check();
      out.line(
          "  "
              + (check == null ? "[ ] " : "[x] ")
              + condition(one.condition())
              + (check == null
                  ? ""
                  : "; met, recorded in " + check.by() + " at " + check.session()));
    }
  }

  private static String condition(Condition condition) {
    return condition.id()
        + "  "
        + Printable.text(condition.text())
        + " ("
        + condition.director()
        + ")";
  }

  /** Prints the result of a session. */
  static void resolution(Output out, BoardSession meeting, boolean markdown) {
    Resolution resolution = Objects.requireNonNull(meeting.resolution());
    if (out.isJson()) {
      out.line(BoardJson.resolution(meeting.id(), resolution));
      return;
    }
    if (markdown) {
      ResolutionPage.of(meeting, resolution).forEach(out::line);
      return;
    }
    out.line(
        meeting.id()
            + " is "
            + out.styled(Style.BOLD, resolution.verdict().name())
            + (resolution.consensus() ? ", in consensus" : "")
            + ": "
            + votes(resolution)
            + ".");
    resolution.conditions().forEach(one -> out.line("  [ ] " + condition(one)));
    for (Resolution.Dissent dissent : resolution.dissent()) {
      out.line(
          "  "
              + dissent.director()
              + " dissents: "
              + dissent.vote()
              + (dissent.reason().isBlank() ? "" : ", " + Printable.text(dissent.reason())));
    }
    for (Resolution.Change change : resolution.changes()) {
      out.line(
          "  the discussion changed "
              + change.director()
              + " from "
              + change.before()
              + " to "
              + change.after());
    }
    if (!meeting.remarks().isEmpty() && resolution.changes().isEmpty()) {
      out.line("  the discussion changed no verdict");
    }
  }

  private static String votes(Resolution resolution) {
    StringBuilder text = new StringBuilder();
    resolution
        .votes()
        .forEach((elector, vote) ->
            text.append(text.isEmpty() ? "" : ", ").append(elector).append(' ').append(vote));
    for (String elector : resolution.missing()) {
      text.append(text.isEmpty() ? "" : ", ").append(elector).append(" missing");
    }
    return text.toString();
  }
}
