package dev.parley.json;

import dev.parley.coordination.bulletin.Bulletins.Listed;
import dev.parley.coordination.bulletin.Bulletins.Posted;
import dev.parley.coordination.bulletin.IntentConflict;
import dev.parley.coordination.bulletin.Notice;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.util.List;

/** Notices of a bulletin as JSON. */
public final class NoticeJson {
  private NoticeJson() {}

  /** A notice that was just stored. */
  public static Json of(String wave, Posted posted) {
    return Json.object()
        .put("state", "stored")
        .put("id", posted.stored().id())
        .put("position", posted.stored().position().value())
        .put("wave", wave)
        .put("overlaps", overlaps(posted.overlaps()))
        .build();
  }

  /** A notice on a bulletin. */
  public static Json of(String wave, Listed listed) {
    Notice notice = listed.notice();
    return Json.object()
        .put("wave", wave)
        .put("kind", notice.kind().word())
        .put("text", notice.text())
        .put("from", Json.ofStrings(notice.authors()))
        .put("count", notice.count())
        .put("carriedFrom", notice.wave())
        .put("timestamp", notice.time() == null ? null : Timestamps.format(notice.time()))
        .put("position", notice.position())
        .put("paths", Json.ofStrings(notice.paths().stream().map(PathPattern::toString).toList()))
        .put("overlaps", overlaps(listed.overlaps()))
        .build();
  }

  private static Json overlaps(List<IntentConflict> overlaps) {
    return Json.of(overlaps.stream().map(IntentConflict::toJson).toList());
  }
}
