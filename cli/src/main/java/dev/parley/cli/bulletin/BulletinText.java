package dev.parley.cli.bulletin;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.bulletin.BulletinSelection;
import dev.parley.coordination.bulletin.Bulletins;
import dev.parley.coordination.bulletin.Bulletins.Carried;
import dev.parley.coordination.bulletin.Bulletins.Listed;
import dev.parley.coordination.bulletin.Bulletins.Posted;
import dev.parley.coordination.bulletin.Bulletins.Scanned;
import dev.parley.coordination.bulletin.IntentConflict;
import dev.parley.coordination.bulletin.Notice;
import dev.parley.coordination.bulletin.NoticeMarkers;
import dev.parley.coordination.bulletin.TokenEstimate;
import dev.parley.core.json.Json;
import dev.parley.json.NoticeJson;
import java.util.List;

/** Prints bulletins. */
record BulletinText(Output out) {
  void waves(Bulletins bulletins) {
    List<String> waves = bulletins.waves();
    if (out.isJson()) {
      waves.forEach(wave ->
          out.line(
              Json.object()
                  .put("wave", wave)
                  .put("notices", bulletins.notices(wave).size())
                  .build()));
      return;
    }
    if (waves.isEmpty()) {
      out.line("No bulletins yet: parley bulletin post --wave wave-1 --kind discovery --body …");
      return;
    }
    Table table = new Table();
    table.row("WAVE", "NOTICES");
    waves.forEach(wave -> table.row(wave, Integer.toString(bulletins.notices(wave).size())));
    table.print(out);
  }

  void posted(String wave, Posted posted) {
    if (out.isJson()) {
      out.line(NoticeJson.of(wave, posted));
      return;
    }
    out.line(
        "stored bulletin."
            + wave
            + "@"
            + posted.stored().position().value()
            + " ("
            + posted.stored().id()
            + ")");
    overlaps(posted.overlaps());
  }

  private void overlaps(List<IntentConflict> overlaps) {
    for (IntentConflict overlap : overlaps) {
      out.line("  overlaps: " + Printable.text(overlap.toString()));
    }
  }

  void notices(String wave, List<Listed> notices, int cap, int budget) {
    BulletinSelection reading =
        BulletinSelection.of(
            notices.stream().map(Listed::notice).toList(),
            cap,
            budget,
            notice -> TokenEstimate.in(notice.text()));
    List<Listed> shown =
        notices.stream().filter(listed -> reading.shown().contains(listed.notice())).toList();
    if (out.isJson()) {
      shown.forEach(listed -> out.line(NoticeJson.of(wave, listed)));
      return;
    }
    if (notices.isEmpty()) {
      out.line("Nothing on the bulletin of " + wave + ".");
      return;
    }
    Times times = Times.system();
    for (Listed listed : shown) {
      Notice notice = listed.notice();
      String kind = notice.kind().word();
      out.line(
          (notice.kind() == Notice.Kind.WARNING ? out.styled(Style.YELLOW, kind) : kind)
              + "  "
              + Printable.text(notice.text())
              + "  ("
              + Printable.text(String.join(", ", notice.authors()))
              + (notice.time() == null ? "" : ", " + times.ago(notice.time()))
              + (notice.count() > 1 ? ", ×" + notice.count() : "")
              + (notice.wave() == null ? "" : ", from " + Printable.text(notice.wave()))
              + ")");
      overlaps(listed.overlaps());
    }
    if (reading.leftOut() > 0) {
      out.line(
          reading.leftOut()
              + " left out, "
              + reading.warningsLeftOut()
              + " warnings among them: parley bulletin read --all --wave "
              + wave);
    }
  }

  void carried(String from, String to, Carried carried) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("from", from)
              .put("to", to)
              .put("discoveries", carried.discoveries().size())
              .put("warnings", carried.warnings().size())
              .put("already", carried.already())
              .build());
      return;
    }
    out.line(
        "Carried "
            + carried.discoveries().size()
            + " discoveries and "
            + carried.warnings().size()
            + " warnings from "
            + from
            + " to "
            + to
            + "; "
            + carried.already()
            + " were already there.");
  }

  void scanned(String wave, Scanned scanned) {
    for (Posted posted : scanned.posted()) {
      posted(wave, posted);
    }
    for (NoticeMarkers.Found found : scanned.already()) {
      if (out.isJson()) {
        out.line(
            Json.object()
                .put("state", "already")
                .put("line", found.line())
                .put("wave", wave)
                .build());
      } else {
        out.line("line " + found.line() + ": already posted");
      }
    }
    for (NoticeMarkers.Malformed bad : scanned.malformed()) {
      if (out.isJson()) {
        out.line(
            Json.object()
                .put("state", "malformed")
                .put("line", bad.line())
                .put("reason", bad.reason())
                .build());
      } else {
        out.line("line " + bad.line() + ": not posted, " + bad.reason());
      }
    }
    if (!out.isJson() && scanned.posted().isEmpty()) {
      out.line("No new marked passages.");
    }
  }
}
