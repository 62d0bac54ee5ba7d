package dev.parley.filelog.trust;

import dev.parley.core.ParleyException;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.EphemeralFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Whether this user trusts a bus, and why.
 *
 * @param registry the registry that was asked
 * @param entry the bus's entry; null if it has none
 * @param trouble why the registry could not be read
 */
public record BusTrust(
    Reason reason,
    @Nullable TrustedBuses registry,
    @Nullable TrustEntry entry,
    @Nullable ParleyException trouble) {
  /** Why a bus is trusted. */
  public enum Reason {
    /** The registry has its id and its path. */
    REGISTERED,
    /** {@code PARLEY_TRUST} has its id. */
    NAMED,
    /** A live process owns it. */
    OWNED,
    /** It is not trusted. */
    NONE
  }

  static BusTrust registered(TrustedBuses registry, TrustEntry entry) {
    return new BusTrust(Reason.REGISTERED, registry, entry, null);
  }

  /** Finds out whether this user trusts a bus. */
  public static BusTrust of(Path real, String id, Map<String, String> environment)
      throws IOException {
    ParleyException trouble = null;
    if (!id.isEmpty()) {
      try {
        TrustedBuses registry = TrustedBuses.of(environment);
        TrustEntry entry = registry.find(id, real);
        if (entry != null) {
          return registered(registry, entry);
        }
      } catch (ParleyException e) {
        trouble = e; // the bus may be trusted for another reason
      }
    }
    Reason reason =
        isNamed(id, environment.getOrDefault(BusFolder.TRUST, ""))
            ? Reason.NAMED
            : EphemeralFolder.isOwned(real) ? Reason.OWNED : Reason.NONE;
    return new BusTrust(reason, null, null, trouble);
  }

  private static boolean isNamed(String id, String names) {
    if (names.isEmpty() || id.isEmpty()) {
      return false;
    }
    for (String name : names.split(",", -1)) {
      if (name.strip().equals(id)) {
        return true;
      }
    }
    return false;
  }

  public boolean isOurs() {
    return reason != Reason.NONE;
  }

  /** The error for any use, beyond reading, of a bus that is not trusted. */
  public ParleyException refusal(Path bus) {
    return trouble == null ? BusFolder.notTrusted(bus) : trouble;
  }

  /** Reads the entry again. */
  public @Nullable TrustEntry refresh(Path real) {
    return registry == null || entry == null ? null : registry.find(entry.id(), real);
  }

  /** The registry, if the bus has an entry in it. */
  public TrustedBuses registryOf(Path bus) {
    if (registry == null || entry == null) {
      throw ParleyException.refused(
          "not-registered",
          "The bus " + bus + " is not in the registry of this user, so it has no keys.",
          ParleyException.NEXT_BY_CODE);
    }
    return registry;
  }

  public void mount(Path bus, UnaryOperator<List<TrustedMount>> change) {
    if (registry == null || entry == null) {
      throw ParleyException.refused(
          "not-registered",
          reason == Reason.OWNED
              ? "The bus " + bus + " ends with its owner, and can have no mounts."
              : "The bus " + bus + " is trusted for this command only, and can have no mounts.",
          ParleyException.NEXT_BY_CODE);
    }
    var _ = registry.mount(entry, change);
  }
}
