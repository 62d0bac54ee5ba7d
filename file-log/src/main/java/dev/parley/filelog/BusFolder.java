package dev.parley.filelog;

import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.Reporter;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.keys.PublicKey;
import dev.parley.core.store.Contents;
import dev.parley.core.store.Cursors;
import dev.parley.core.store.SessionSecrets;
import dev.parley.core.store.Views;
import dev.parley.core.writer.WriterKey;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.RealDisk;
import dev.parley.filelog.disk.SafeFiles;
import dev.parley.filelog.git.GitLayout;
import dev.parley.filelog.git.Repository;
import dev.parley.filelog.health.FileSystemCheck;
import dev.parley.filelog.keys.KeyFolder;
import dev.parley.filelog.store.FileContents;
import dev.parley.filelog.store.FileCursors;
import dev.parley.filelog.store.FileViews;
import dev.parley.filelog.store.FolderStore;
import dev.parley.filelog.store.SessionFiles;
import dev.parley.filelog.trust.BusTrust;
import dev.parley.filelog.trust.TrustEntry;
import dev.parley.filelog.trust.TrustedBuses;
import dev.parley.filelog.trust.TrustedMount;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A folder that holds a bus: where it is, how it is made, how it is opened.
 *
 * <pre>
 * .parley/              0700
 *   bus.json            format, id, host, limits (BusSettings)
 *   &lt;topic&gt;.jsonl       0600, one line an envelope
 *   cursors/&lt;name&gt;.json where a subscription goes on
 *   views/&lt;name&gt;.json   what a fold has come to; thrown away at will
 *   content/&lt;digest&gt;    what is too long for a line
 * </pre>
 *
 * <p>A folder is <em>ours</em> if this user made or accepted it on this machine ({@link
 * TrustedBuses}), if {@code PARLEY_TRUST} names its id, or while a live process owns it ({@link
 * EphemeralBus}). Any other came with a clone, a copy or an archive: it can be looked at, and
 * nothing in it is obeyed.
 */
public final class BusFolder {
  /** What a bus folder is called where nobody named one. */
  public static final String NAME = ".parley";

  /** The file by which a folder is known to hold a bus. */
  public static final String SETTINGS = BusSettings.FILE;

  /** Names the ids of buses to be trusted without an entry, with commas between. */
  public static final String TRUST = "PARLEY_TRUST";

  private final Path path;
  private final BusSettings settings;
  private final BusTrust standing;
  private final PollingInterval polling;
  private final Durability durability;
  private final ResourceLimits capacity;

  private BusFolder(
      Path path,
      BusSettings settings,
      BusTrust standing,
      PollingInterval polling,
      Durability durability,
      ResourceLimits capacity) {
    this.standing = standing;
    this.durability = durability;
    this.capacity = capacity;
    this.path = path;
    this.settings = settings;
    this.polling = polling;
  }

  /** What {@link #init} did: {@code excludedIn} is the file that keeps the bus out of git. */
  public record Made(BusFolder folder, boolean created, @Nullable Path excludedIn) {}

  /**
   * Finds the bus: the one named, {@code PARLEY_BUS}, {@code BUS_DIR}, or the nearest {@code
   * .parley} from the working folder upwards; all worktrees of a git repository share one.
   *
   * @throws ParleyException REFUSED if there is none, it must not be used, or it is not ours
   */
  public static BusFolder find(
      @Nullable Path explicit, Path workingFolder, Map<String, String> environment) {
    BusFolder folder = look(explicit, workingFolder, environment);
    folder.checkOurs();
    return folder;
  }

  /**
   * Finds the bus as {@link #find} does, for whoever only looks. If it is not ours it refuses to be
   * written to, its settings, views, cursors and contents are not used, and none are written.
   */
  public static BusFolder look(
      @Nullable Path explicit, Path workingFolder, Map<String, String> environment) {
    return at(locate(explicit, workingFolder, environment), environment);
  }

  public static ParleyException notTrusted(Path folder) {
    return ParleyException.refused(
        "not-trusted",
        "The bus " + folder + " was not created or trusted by you on this machine.",
        ParleyException.NEXT_BY_CODE);
  }

  /**
   * Finds the folder as {@link #find} does, without a look at what is in it.
   *
   * @throws ParleyException REFUSED if there is none, or a link is in its place
   */
  public static Path locate(
      @Nullable Path explicit, Path workingFolder, Map<String, String> environment) {
    Path named = named(explicit, workingFolder, environment);
    Path found = named != null ? named : search(workingFolder);
    if (found == null) {
      throw ParleyException.refused(
          "no-bus",
          "There is no bus here: no " + NAME + " in " + workingFolder + " or above it.",
          ParleyException.NEXT_BY_CODE);
    }
    if (!Files.isDirectory(found)) {
      throw ParleyException.refused(
          "no-bus", "There is no bus at " + found + ".", ParleyException.NEXT_BY_CODE);
    }
    return found;
  }

  /**
   * Makes a bus, or completes one, where {@link #find} will find it: the folder named, else at the
   * root of the git repository, else in the working folder. Doing it again changes nothing.
   */
  public static Made init(
      @Nullable Path explicit, Path workingFolder, Map<String, String> environment) {
    try {
      Path named = named(explicit, workingFolder, environment);
      GitLayout git = Repository.layout(workingFolder);
      Path home = git == null ? workingFolder : git.busHome();
      Path folder = named != null ? named : home.resolve(NAME);
      SafeFiles.createFolder(folder);
      boolean empty = isEmpty(folder); // looked at first: others may make it meanwhile
      BusFolder bus = at(folder, environment);
      boolean created = false;
      if (!empty) {
        bus.checkOurs();
      } else if (!bus.isOurs()) {
        created = bus.make(TrustedBuses.of(environment), environment);
        bus = at(folder, environment);
      }
      return new Made(bus, created, git == null ? null : git.exclude(folder));
    } catch (IOException e) {
      throw cantCreate(e, named(explicit, workingFolder, environment), workingFolder);
    }
  }

  private static ParleyException cantCreate(
      IOException cause, @Nullable Path named, Path workingFolder) {
    Path folder = named != null ? named : workingFolder.resolve(NAME);
    IoErrors trouble = IoErrors.writing(folder.resolve(BusSettings.FILE), cause);
    return new ParleyException(
        ParleyException.Kind.FAILED, trouble.code(), trouble.what(), trouble.next(), cause);
  }

  /**
   * Makes a bus of an empty folder. One that holds anything is refused: whoever put that there may
   * have put it there for us. The entry is written first, so that there is never a bus without one.
   *
   * @return false if somebody else was faster
   */
  private boolean make(TrustedBuses registry, Map<String, String> environment) {
    return registry.changing(() -> {
      BusFolder now = at(path, environment);
      if (now.isOurs()) {
        return false;
      }
      if (Files.exists(path.resolve(BusSettings.FILE), LinkOption.NOFOLLOW_LINKS)
          || !isEmpty(path)) {
        throw now.standing.refusal(path);
      }
      String id = BusId.random();
      var _ = registry.enter(id, path, TrustEntry.How.MADE);
      try {
        create(path, id);
      } catch (IOException e) {
        throw cantCreate(e, path, path);
      }
      return true;
    });
  }

  /** Whether nothing is in a folder, hidden files aside, which no bus obeys. */
  private static boolean isEmpty(Path folder) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (!String.valueOf(entry.getFileName()).startsWith(".")) {
          return false;
        }
      }
    }
    return true;
  }

  /** Makes the folder and its settings. */
  static void create(Path folder, String id) throws IOException {
    SafeFiles.createFolder(folder);
    SafeFiles.replace(folder.resolve(BusSettings.FILE), BusSettings.forNewBus(Instant.now(), id));
  }

  /** The bus in a folder that exists, ours or not. */
  public static BusFolder at(Path folder, Map<String, String> environment) {
    try {
      Path real = folder.toRealPath();
      SafeFiles.check(real, SafeFiles.Kind.FOLDER);
      BusSettings written = BusSettings.read(real);
      BusTrust standing = BusTrust.of(real, written.id(), environment);
      BusSettings settings = standing.isOurs() ? written : written.unobeyed();
      FileSystemCheck.check(real, FileSystemCheck.type(real), settings, environment);
      return new BusFolder(
          real,
          settings,
          standing,
          PollingInterval.from(environment),
          durability(settings, environment),
          ResourceLimits.from(environment));
    } catch (IOException e) {
      throw IoErrors.reading(folder.resolve(BusSettings.FILE), e);
    }
  }

  private static Durability durability(BusSettings settings, Map<String, String> environment) {
    String name = environment.getOrDefault(Durability.SETTING, "");
    return name.isEmpty() ? settings.durability() : Durability.named(name);
  }

  private static @Nullable Path named(
      @Nullable Path explicit, Path workingFolder, Map<String, String> environment) {
    if (explicit != null) {
      return workingFolder.resolve(explicit).normalize();
    }
    for (String variable : new String[] {"PARLEY_BUS", "BUS_DIR"}) {
      String value = environment.getOrDefault(variable, "");
      if (!value.isEmpty()) {
        return workingFolder.resolve(value).normalize();
      }
    }
    return null;
  }

  private static @Nullable Path search(Path workingFolder) {
    try {
      for (Path folder = workingFolder; folder != null; folder = folder.getParent()) {
        Path here = folder.resolve(NAME);
        if (Files.isSymbolicLink(here)) {
          throw ParleyException.refused(
              "unsafe-file",
              here + " is a symbolic link; a bus that is found by its name must be a folder.",
              "If you trust it, name the bus, for example with PARLEY_BUS.");
        }
        if (Files.isDirectory(here)) {
          return here;
        }
        GitLayout git = GitLayout.at(folder);
        if (git != null && Files.isDirectory(git.busHome().resolve(NAME))) {
          return git.busHome().resolve(NAME);
        }
      }
      return null;
    } catch (IOException e) {
      throw IoErrors.reading(workingFolder.resolve(NAME), e);
    }
  }

  public Path path() {
    return path;
  }

  public Limits limits() {
    return settings.limits();
  }

  /** How large messages of other tools' files may be. */
  public ForeignLimits foreignLimits() {
    return settings.foreign();
  }

  /** What {@code bus.json} says of one setting; null if nothing, or if the bus is not ours. */
  public @Nullable Json setting(String name) {
    return isOurs() ? BusSettings.read(path, name) : null;
  }

  /**
   * Changes one setting in {@code bus.json}, for programs that open the bus from now on.
   *
   * @throws ParleyException INVALID if it can't be that
   */
  public void set(String name, Json value) {
    checkOurs();
    BusSettings.set(path, name, value);
  }

  /** What an acknowledgement on this bus means. */
  public Durability durability() {
    return durability;
  }

  /** Whether this user made or accepted it on this machine; if not it can only be looked at. */
  public boolean isOurs() {
    return standing.isOurs();
  }

  /** Whether it is ours only as long as a process that made it lives. */
  public boolean isOwned() {
    return standing.reason() == BusTrust.Reason.OWNED;
  }

  /**
   * Refuses a bus that can only be looked at.
   *
   * @throws ParleyException REFUSED if it is not ours
   */
  public void checkOurs() {
    if (!isOurs()) {
      throw standing.refusal(path);
    }
  }

  /**
   * Whether files belong to what the bus is for: to the git repository that it is in, or that
   * somebody works in, with all its worktrees; where there is none, to the folder that holds it.
   */
  public boolean surrounds(Path files, Path workingFolder) {
    try {
      Path real = files.toRealPath();
      Path home = Objects.requireNonNullElse(path.getParent(), path);
      return Repository.around(home, home).holds(real)
          || Repository.around(workingFolder.toRealPath(), home).holds(real);
    } catch (IOException e) {
      throw IoErrors.reading(files, e);
    }
  }

  /**
   * What the registry says of it; null if it is not in there: because it is not ours, it lives as
   * long as a process, or {@code PARLEY_TRUST} names it.
   */
  public @Nullable TrustEntry trust() {
    return standing.entry();
  }

  /** What the local user has mounted on it, as the registry has it now. */
  public List<TrustedMount> mounts() {
    TrustEntry now = standing.refresh(path);
    return now == null ? List.of() : now.mounts();
  }

  /**
   * Changes what is mounted on it.
   *
   * @param change called with what is mounted, while nobody else changes it
   * @throws ParleyException REFUSED if the bus is not in the registry
   */
  public void mount(UnaryOperator<List<TrustedMount>> change) {
    standing.mount(path, change);
  }

  /**
   * The key that this user's programs make their writer ids with unless they speak for one session;
   * null if the registry has no entry.
   */
  public @Nullable WriterKey writerKey() {
    byte[] secret = secret();
    return secret == null ? null : WriterKey.of(secret);
  }

  public FileLog openLog() {
    Runnable beforeAppends =
        settings.format() < BusSettings.FORMAT ? () -> BusSettings.raiseFormat(path) : () -> {};
    FileLog log =
        new FileLog(
            path, settings.limits(), polling, durability, capacity, new RealDisk(), beforeAppends);
    if (trust() != null) {
      log.signFor(this::owner, keyFolder());
    }
    WriterKey key = writerKey();
    return key != null ? log.writeWith(key) : isOurs() ? log : log.onlyRead();
  }

  /** Where the private keys of this user's agents on this bus are. */
  public KeyFolder keyFolder() {
    TrustedBuses registry = standing.registryOf(path);
    TrustEntry entry = trust();
    if (entry == null) {
      throw standing.refusal(path);
    }
    return registry.keys(entry.id());
  }

  /** Says whose key decides about keys; null: nobody's. */
  public void own(@Nullable PublicKey owner) {
    TrustedBuses registry = standing.registryOf(path);
    TrustEntry entry = trust();
    if (entry != null) {
      var _ = registry.own(entry, owner);
    }
  }

  /** The key of the person who requires signatures on this bus; null if nobody does. */
  public @Nullable PublicKey owner() {
    TrustEntry now = standing.refresh(path);
    return now == null || now.owner() == null ? null : PublicKey.parse(now.owner());
  }

  /**
   * What only the user who made or accepted this bus knows; null if it is not in the registry. Then
   * nothing tells views of ours from those that came with the folder.
   */
  public byte @Nullable [] secret() {
    TrustEntry entry = trust();
    return entry == null ? null : entry.secret();
  }

  /**
   * Where folds of this bus keep what they have come to. Without a secret nobody could tell a view
   * of ours from one that came along or was edited, so none are kept.
   */
  public Views views() {
    byte @Nullable [] secret = secret();
    return secret == null ? Views.inMemory() : new FileViews(path, secret);
  }

  /** Where what is too long for a line of this bus is kept. */
  public Contents contents() {
    return isOurs()
        ? new FileContents(path, settings.maxContent(), durability)
        : Contents.inMemory(0);
  }

  /** All that this bus keeps. Secrets of a bus that is not ours are neither read nor written. */
  public FolderStore openStore() {
    return new FolderStore(
        openLog(),
        views(),
        contents(),
        isOurs() ? new FileCursors(path) : Cursors.inMemory(),
        isOurs() ? new SessionFiles(path) : SessionSecrets.inMemory(),
        capacity.pending());
  }

  public Bus open(Reporter reporter) {
    return new Bus(openStore(), reporter);
  }
}
