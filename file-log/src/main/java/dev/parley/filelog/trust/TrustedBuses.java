package dev.parley.filelog.trust;

import dev.parley.core.ParleyException;
import dev.parley.core.keys.PublicKey;
import dev.parley.filelog.BusId;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.SafeFiles;
import dev.parley.filelog.keys.KeyFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The registry of the buses that this user made or accepted on this machine, and of their mounts.
 * Nothing inside a bus folder can add to it.
 *
 * <pre>
 * $PARLEY_STATE, else $XDG_STATE_HOME/parley, else &lt;account's home&gt;/.local/state/parley   0700
 *   &lt;bus id&gt;.json    0600, one bus (TrustEntry), replaced as a whole
 *   lock             held while an entry is changed
 * </pre>
 *
 * <p>The folder and each file must belong to the user, be inaccessible to others, and be no links;
 * otherwise another user could decide what is trusted. Reading takes no lock.
 */
public final class TrustedBuses {
  static final String STATE = "PARLEY_STATE";
  private static final String XDG_STATE = "XDG_STATE_HOME";
  private static final String NAME = "parley";
  private static final String SUFFIX = ".json";

  /** A file lock belongs to the process, so its threads need a lock of their own. */
  private static final Object THREADS = new Object();

  private final Path folder;

  private TrustedBuses(Path folder) {
    this.folder = folder;
  }

  /**
   * The registry of the user whose environment this is.
   *
   * @throws ParleyException REFUSED if no state folder can be used
   */
  public static TrustedBuses of(Map<String, String> environment) {
    String state = environment.getOrDefault(STATE, "");
    if (!state.isEmpty()) {
      Path named = Path.of(state);
      if (!named.isAbsolute()) {
        throw ParleyException.refused(
            "bad-state-folder",
            STATE + " is \"" + state + "\", which is not an absolute path.",
            "Set it to an absolute path, or unset it.");
      }
      return new TrustedBuses(named.normalize());
    }
    String xdg = environment.getOrDefault(XDG_STATE, "");
    if (xdg.startsWith("/")) {
      return new TrustedBuses(Path.of(xdg).normalize().resolve(NAME));
    }
    return new TrustedBuses(home().resolve(".local").resolve("state").resolve(NAME));
  }

  /**
   * The home folder of the account. {@code HOME} is ignored, because all processes of a user must
   * agree.
   */
  private static Path home() {
    String home = System.getProperty("user.home", "");
    if (!home.startsWith("/")) {
      throw ParleyException.refused(
          "no-home",
          "This account has no home folder to remember trusted buses in.",
          "Name a folder for that: export " + STATE + "=/path/of/a/folder");
    }
    return Path.of(home);
  }

  public Path folder() {
    return folder;
  }

  /**
   * Makes a folder in the state folder, accessible to the user only.
   *
   * @throws ParleyException FAILED if it can't be made
   */
  public Path makeFolder(String name) {
    Path made = folder.resolve(name);
    try {
      SafeFiles.createPrivateFolders(made);
      return made;
    } catch (IOException e) {
      throw notWritable(e);
    }
  }

  /**
   * The entry of a bus; null if there is none for this id and this folder.
   *
   * @param real the real path of the bus folder
   * @throws ParleyException REFUSED if the registry could have been written by others
   */
  public @Nullable TrustEntry find(String id, Path real) {
    TrustEntry entry = BusId.isValid(id) ? read(file(id)) : null;
    return entry != null && entry.id().equals(id) && entry.path().equals(real.toString())
        ? entry
        : null;
  }

  /** Whether a folder has an entry under any id. */
  public boolean knows(Path bus) throws IOException {
    String real = bus.toRealPath().toString();
    checkPrivate(folder, SafeFiles.Kind.FOLDER);
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        TrustEntry entry = readQuietly(file);
        if (entry != null && entry.path().equals(real)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether another folder, which still exists, has an entry under this id. */
  boolean isKnownElsewhere(String id, Path real) {
    TrustEntry entry = BusId.isValid(id) ? read(file(id)) : null;
    return entry != null && !entry.path().equals(real.toString()) && !isGone(entry);
  }

  /**
   * Adds a bus without mounts, and removes other entries of its folder. Called inside {@link
   * #changing}.
   */
  public TrustEntry enter(String id, Path real, TrustEntry.How how) throws IOException {
    if (!BusId.isValid(id)) {
      throw new IllegalArgumentException("not the id of a bus: " + id);
    }
    TrustEntry entry = TrustEntry.begin(id, real.toString(), how, Instant.now());
    write(entry);
    dropOthers(entry);
    return entry;
  }

  /**
   * Changes what is mounted on a bus.
   *
   * @param change gets the present mounts; no other process changes them meanwhile
   * @throws ParleyException REFUSED if the bus is not in the registry
   */
  public TrustEntry mount(TrustEntry known, UnaryOperator<List<TrustedMount>> change) {
    return change(known, now -> now.with(change.apply(now.mounts())));
  }

  /**
   * Sets the owner, whose key decides which keys are valid on a bus.
   *
   * @param owner null if signatures are no longer required
   * @throws ParleyException REFUSED if the bus is not in the registry
   */
  public TrustEntry own(TrustEntry known, @Nullable PublicKey owner) {
    return change(known, now -> now.ownedBy(owner == null ? null : owner.text()));
  }

  /** The private keys of the user's agents on a bus. */
  public KeyFolder keys(String bus) {
    return new KeyFolder(folder.resolve("keys").resolve(bus));
  }

  private TrustEntry change(TrustEntry known, UnaryOperator<TrustEntry> change) {
    return changing(() -> {
      TrustEntry now = find(known.id(), Path.of(known.path()));
      if (now == null) {
        throw ParleyException.refused(
            "not-registered",
            "The bus " + known.path() + " is not in " + folder + " any more.",
            ParleyException.NEXT_BY_CODE);
      }
      TrustEntry changed = change.apply(now);
      write(changed);
      dropOthers(changed);
      return changed;
    });
  }

  /**
   * Removes useless entries: those of deleted folders, and of folders that contain another bus now.
   */
  private void dropOthers(TrustEntry kept) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        TrustEntry other = file.equals(file(kept.id())) ? null : readQuietly(file);
        if (other != null && (other.path().equals(kept.path()) || isGone(other))) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static boolean isGone(TrustEntry entry) {
    return !Files.isDirectory(Path.of(entry.path()), LinkOption.NOFOLLOW_LINKS);
  }

  private Path file(String id) {
    return folder.resolve(id + SUFFIX);
  }

  private @Nullable TrustEntry read(Path file) {
    try {
      checkPrivate(folder, SafeFiles.Kind.FOLDER);
      checkPrivate(file, SafeFiles.Kind.FILE);
      return TrustEntry.parse(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw IoErrors.reading(file, e);
    }
  }

  private static @Nullable TrustEntry readQuietly(Path file) throws IOException {
    try {
      return SafeFiles.exposure(file, SafeFiles.Kind.FILE) == null
          ? TrustEntry.parse(Files.readAllBytes(file))
          : null;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static void checkPrivate(Path path, SafeFiles.Kind kind) throws IOException {
    String problem = SafeFiles.exposure(path, kind);
    if (problem != null) {
      throw ParleyException.refused(
          "unsafe-registry",
          path + " " + problem + ": it can't say which buses you trust.",
          "Look at it, then make it yours alone: chmod "
              + (kind == SafeFiles.Kind.FOLDER ? "700 " : "600 ")
              + path);
    }
  }

  private void write(TrustEntry entry) throws IOException {
    byte[] json = (entry.toJson() + "\n").getBytes(StandardCharsets.UTF_8);
    SafeFiles.replace(file(entry.id()), json);
  }

  /** A change of entries. */
  public interface Change<T> {
    T run() throws IOException;
  }

  /** Runs a change under the lock of the registry. */
  public <T> T changing(Change<T> change) {
    Path lockFile = folder.resolve("lock");
    synchronized (THREADS) {
      try (FileChannel channel = open(lockFile)) {
        FileLock lock = channel.lock();
        try {
          return change.run();
        } finally {
          lock.release();
        }
      } catch (IOException e) {
        throw notWritable(e);
      }
    }
  }

  private ParleyException notWritable(IOException cause) {
    return new ParleyException(
        ParleyException.Kind.FAILED,
        "registry-not-writable",
        "The folder "
            + folder
            + ", which remembers the buses you trust, can't be written to: "
            + IoErrors.reason(cause)
            + ".",
        "Let this agent write there, or name another folder: export " + STATE + "=/path/of/it",
        cause);
  }

  private FileChannel open(Path lockFile) throws IOException {
    SafeFiles.createPrivateFolders(folder);
    checkPrivate(folder, SafeFiles.Kind.FOLDER);
    SafeFiles.createFile(lockFile);
    checkPrivate(lockFile, SafeFiles.Kind.FILE);
    return FileChannel.open(lockFile, StandardOpenOption.WRITE);
  }
}
