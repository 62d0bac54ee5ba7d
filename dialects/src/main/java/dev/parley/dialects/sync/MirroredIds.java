package dev.parley.dialects.sync;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Log;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** The ids of everything that ever went through a mount. Read only when a file was rewritten. */
final class MirroredIds {
  private MirroredIds() {}

  /** The foreign ids of everything pulled into some topics, or pushed. */
  static Set<String> of(Log log, String mount, Collection<Topic> topics) {
    Set<String> ids = new HashSet<>();
    String own = SyncPass.keyPrefix(mount);
    for (Topic topic : topics) {
      WholeTopic.forEach(
          log,
          topic,
          envelope -> {
            String key = envelope.key();
            if (key != null && key.startsWith(own)) {
              ids.add(key.substring(own.length()));
            }
          });
    }
    WholeTopic.forEach(
        log,
        MirrorState.topicOf(mount),
        envelope -> {
          for (Json item : Fields.of(envelope.payload()).items("pushed")) {
            ids.add(MirrorState.Pair.of(item).foreign());
          }
        });
    return ids;
  }
}
