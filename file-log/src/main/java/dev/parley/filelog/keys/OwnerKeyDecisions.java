package dev.parley.filelog.keys;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.keys.KeyPair;
import dev.parley.core.keys.KeyRing;
import dev.parley.core.keys.KeyTypes;
import dev.parley.core.keys.PublicKey;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a bus's owner, a person, about its keys.
 *
 * <p>Signatures become required in two steps, so that no line of a running program is rejected. The
 * announcement makes every program sign within {@link FileLog#KEYS_LOOKED_FOR}. Only after that
 * time are the positions recorded from which on lines must be signed.
 */
public final class OwnerKeyDecisions {
  /** The time that programs have to begin signing. */
  private static final Duration NOTICE = FileLog.KEYS_LOOKED_FOR.plusMillis(300);

  private final BusFolder bus;
  private final FileLog log;
  private final KeyFolder folder;

  /**
   * The keys of an open bus.
   *
   * @throws ParleyException REFUSED if the user's registry does not have the bus
   */
  public OwnerKeyDecisions(BusFolder bus, FileLog log) {
    this.bus = bus;
    this.log = log;
    this.folder = bus.keyFolder();
  }

  /** The bound keys; null if signatures were never required. */
  public @Nullable KeyRing ring() {
    BusSignatures signatures = signatures();
    return signatures == null ? null : signatures.ring();
  }

  /** The agents with a private key in this user's state folder. */
  public Set<String> here() {
    return folder.agents();
  }

  private @Nullable BusSignatures signatures() {
    PublicKey owner = bus.owner();
    return owner == null ? null : log.signNow(owner, folder);
  }

  /**
   * Requires signatures from now on. A second call does nothing.
   *
   * @return whether signatures were not required before
   */
  public boolean require() {
    if (!bus.mounts().isEmpty()) {
      throw ParleyException.refused(
          "mounted",
          "Other tools' files are mounted on this bus, and those tools sign nothing.",
          ParleyException.NEXT_BY_CODE);
    }
    KeyPair owner = folder.findOrMake(KeyRing.OWNER);
    BusSignatures signatures = log.signNow(owner.publicKey(), folder);
    signatures.prepare(KeyRing.OWNER);
    if (bus.owner() != null && signatures.ring().isRequired()) {
      return false;
    }
    var _ = log.append(KeyRing.TOPIC, owners(KeyTypes.ANNOUNCE, Json.EMPTY_OBJECT));
    bus.own(owner.publicKey());
    long end = System.nanoTime() + NOTICE.toNanos();
    for (long left = NOTICE.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
    Json payload = Json.object().put("from", sizes()).build();
    var _ = log.append(KeyRing.TOPIC, owners(KeyTypes.REQUIRE, payload));
    return true;
  }

  /** Stops requiring signatures. */
  public void lift() {
    BusSignatures signatures = signatures();
    if (signatures != null) {
      signatures.prepare(KeyRing.OWNER);
      var _ = log.append(KeyRing.TOPIC, owners(KeyTypes.LIFT, Json.EMPTY_OBJECT));
      bus.own(null);
    }
  }

  /**
   * Gives an agent a new key. Lines signed with the old key stay valid; later ones are rejected.
   */
  public PublicKey change(String agent) {
    BusSignatures signatures = signatures();
    if (signatures == null) {
      throw ParleyException.refused(
          "no-keys",
          "This bus requires no signatures, so nobody has a key.",
          ParleyException.NEXT_BY_CODE);
    }
    if (agent.equals(KeyRing.OWNER)) {
      throw ParleyException.refused(
          "owners-key",
          "The key of " + agent + " is the owner's: it decides about all others.",
          ParleyException.NEXT_BY_CODE);
    }
    signatures.prepare(KeyRing.OWNER);
    KeyPair key = KeyPair.generate();
    Json payload =
        Json.object()
            .put("agent", agent)
            .put("key", key.publicKey().text())
            .put("from", sizes())
            .build();
    folder.replace(agent, key);
    var _ = log.append(KeyRing.TOPIC, owners(KeyTypes.CHANGE, payload));
    return key.publicKey();
  }

  /** Every rejected line of the bus, and any other damage, with its position. */
  public List<Damage> verify() {
    List<Damage> found = new ArrayList<>();
    BusSignatures signatures = signatures();
    if (signatures == null) {
      return found;
    }
    for (BusSignatures.Refused refused : signatures.refused()) {
      int length = refused.line().toLine().length;
      found.add(
          new Damage(
              KeyRing.TOPIC,
              new Position(refused.line().position().value() - length - 1),
              length,
              refused.why().words()));
    }
    for (Topic topic : log.topics(Prefix.ALL)) {
      verify(topic, found);
    }
    return found;
  }

  private void verify(Topic topic, List<Damage> found) {
    try {
      for (Batch batch : WholeTopic.batches(log, topic, Bookmark.START)) {
        found.addAll(batch.damage());
      }
    } catch (LostPlaceException e) {
      // The topic was replaced meanwhile; the next check reads the new one.
    }
  }

  private static Message owners(String type, Json payload) {
    return Message.of(KeyRing.OWNER, type, payload);
  }

  private Json sizes() {
    Json.ObjectBuilder sizes = Json.object();
    log.sizes(Prefix.ALL).forEach((topic, size) -> sizes.put(topic.name(), size));
    return sizes.build();
  }
}
