package dev.parley.dialects;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.json.Json;
import java.util.HashSet;
import java.util.Set;

/** Everything that all rounds of a mount have noted: read only when a file was changed. */
final class RoundHistory {
  private static final int BATCH = 512;

  private RoundHistory() {}

  /** The foreign ids of all that was pulled or pushed. */
  static Set<String> pulled(Log log, String mount) {
    Set<String> ids = new HashSet<>();
    Bookmark from = Bookmark.START;
    Batch batch = log.read(MirrorState.topicOf(mount), from, BATCH);
    while (!batch.next().equals(from)) {
      for (Envelope envelope : batch.envelopes()) {
        Fields round = Fields.of(envelope.payload());
        for (String kind : new String[] {"pulled", "pushed"}) {
          for (Json item : round.items(kind)) {
            ids.add(MirrorState.Pair.of(item).foreign());
          }
        }
      }
      from = batch.next();
      batch = log.read(MirrorState.topicOf(mount), from, BATCH);
    }
    return ids;
  }
}
