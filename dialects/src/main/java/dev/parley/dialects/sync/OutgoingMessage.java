package dev.parley.dialects.sync;

import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An envelope that a mount's files are to get.
 *
 * @param recipient whose mail it is; null if it is for everyone to read
 */
public record OutgoingMessage(Envelope envelope, @Nullable String recipient) {
  private static final int BATCH = 512;

  /** The position is noted after this many envelopes even if none was for the files. */
  private static final int FAR = 256;

  /**
   * The result of reading the log.
   *
   * @param pulled the keys of envelopes after the noted position: they tell what the mount itself
   *     stored there
   * @param ends how far each topic was looked at
   * @param isFar whether the position is worth noting although nothing was found
   */
  public record Found(
      List<OutgoingMessage> outgoing,
      Set<String> pulled,
      Map<Topic, Position> ends,
      boolean isFar) {}

  /**
   * Reads the log after the noted positions.
   *
   * @param shared topics whose envelopes are for everyone to read
   * @param residents agents whose mail is for the files
   * @param routes whether mail that came from the files is written back to its recipient's file
   * @param most the most messages to return; the next pass finds the rest
   */
  public static Found find(
      Log log,
      String mount,
      MirrorState state,
      Collection<Topic> shared,
      Collection<String> residents,
      boolean routes,
      int most) {
    Found found = new Found(new ArrayList<>(), new HashSet<>(), new LinkedHashMap<>(), false);
    String own = SyncPass.keyPrefix(mount);
    int passed = 0;
    for (Topic topic : shared) {
      passed += look(log, state, topic, null, own, false, most, found);
    }
    for (String resident : residents) {
      passed += look(log, state, Mailbox.mailOf(resident), resident, own, routes, most, found);
    }
    return new Found(found.outgoing, found.pulled, found.ends, passed >= FAR);
  }

  private static int look(
      Log log,
      MirrorState state,
      Topic topic,
      @Nullable String recipient,
      String own,
      boolean routes,
      int most,
      Found found) {
    Bookmark from = Bookmark.at(state.pushedTo(topic));
    Position pushed = from.position();
    boolean full = false;
    int count = 0;
    while (true) {
      Batch batch;
      try {
        batch = log.read(topic, from, BATCH);
      } catch (LostPlaceException e) {
        batch =
            log.read(topic, Bookmark.START, BATCH); // the topic was replaced: ids tell what is new
      }
      for (Envelope envelope : batch.envelopes()) {
        String key = envelope.key();
        boolean ours = key != null && key.startsWith(own);
        if (key != null) {
          found.pulled.add(key);
        }
        if (MailTypes.isMessage(envelope.type()) && (!ours || routes)) {
          if (found.outgoing.size() < most) {
            found.outgoing.add(new OutgoingMessage(envelope, recipient));
          } else {
            full = true; // the next pass continues here
          }
        }
        pushed = full ? pushed : envelope.position();
      }
      count += batch.envelopes().size();
      if (batch.next().position().equals(from.position())) {
        found.ends.put(topic, full ? pushed : from.position());
        return count;
      }
      from = batch.next();
    }
  }
}
