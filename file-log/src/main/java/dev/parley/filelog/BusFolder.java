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
 * Finds, creates and opens the folder that holds a bus.
 *
 * <pre>
 * .parley/              0700
 *   bus.json            format, id, host, limits (BusSettings)
 *   &lt;topic&gt;.jsonl       0600, one envelope per line
 *   cursors/&lt;name&gt;.json the position at which a subscription continues
 *   views/&lt;name&gt;.json   the saved state of a fold; may be deleted at any time
 *   content/&lt;digest&gt;    a content that is too long for a line
 * </pre>
 *
 * <p>A folder is <em>ours</em> if this user made or accepted it on this machine ({@link
 * TrustedBuses}), if {@code PARLEY_TRUST} names its id, or while a live process owns it ({@link
 * EphemeralBus}). Any other folder may have come with a clone, a copy or an archive. It can be
 * read, but its settings are ignored and nothing is written to it.
 */
public final class BusFolder {
  /** The name of a bus folder unless the user chose another. */
  public static final String NAME = ".parley";

  /** The file that marks a folder as a bus. */
  public static final String SETTINGS = BusSettings.FILE;

  /**
   * The environment variable with the ids of buses that are trusted without an entry in the
   * registry, separated by commas.
   */
  public static final String TRUST = "PARLEY_TRUST";

  private final Path path;
  private final BusSettings settings;
  private final BusTrust trust;
  private final PollingInterval polling;
  private final Durability durability;
  private final ResourceLimits resources;

  private BusFolder(
      Path path,
      BusSettings settings,
      BusTrust trust,
      PollingInterval polling,
      Durability durability,
      ResourceLimits resources) {
    this.trust = trust;
    this.durability = durability;
    this.resources = resources;
    this.path = path;
    this.settings = settings;
    this.polling = polling;
  }

  /** The result of {@link #init}. {@code excludedIn} is the file that makes git ignore the bus. */
  public record Made(BusFolder folder, boolean created, @Nullable Path excludedIn) {}

  /**
   * Finds the bus: {@code explicit}, else {@code PARLEY_BUS}, else {@code BUS_DIR}, else the
   * nearest {@code .parley} from the working folder upwards. All worktrees of a git repository
   * share one bus.
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
   * Finds the bus as {@link #find} does, for reading only. A bus that is not ours refuses appends;
   * its settings, views, cursors and contents are neither used nor written.
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
   * Finds the folder as {@link #find} does, without reading its content.
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
   * Creates a bus where {@link #find} will find it: in the named folder, else at the root of the
   * git repository, else in the working folder. Completes a bus that is half made; running it again
   * changes nothing.
   */
  public static Made init(
      @Nullable Path explicit, Path workingFolder, Map<String, String> environment) {
    try {
      Path named = named(explicit, workingFolder, environment);
      GitLayout git = Repository.layout(workingFolder);
      Path home = git == null ? workingFolder : git.busHome();
      Path folder = named != null ? named : home.resolve(NAME);
      SafeFiles.createFolder(folder);
      // Asked before the bus is opened, because another process may create it meanwhile.
      boolean empty = isEmpty(folder);
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
   * Creates a bus in an empty folder. A folder that holds anything is refused, because its content
   * may have been planted. The registry entry is written before the settings, so that no bus is
   * ever without an entry.
   *
   * @return false if another process created the bus first
   */
  private boolean make(TrustedBuses registry, Map<String, String> environment) {
    return registry.changing(() -> {
      BusFolder now = at(path, environment);
      if (now.isOurs()) {
        return false;
      }
      if (Files.exists(path.resolve(BusSettings.FILE), LinkOption.NOFOLLOW_LINKS)
          || !isEmpty(path)) {
        throw now.trust.refusal(path);
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

  /** Whether a folder is empty. Hidden files do not count, because no bus uses them. */
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

  static void create(Path folder, String id) throws IOException {
    SafeFiles.createFolder(folder);
    SafeFiles.replace(folder.resolve(BusSettings.FILE), BusSettings.forNewBus(Instant.now(), id));
  }

  /** Opens the bus in an existing folder, ours or not. */
  public static BusFolder at(Path folder, Map<String, String> environment) {
    try {
      Path real = folder.toRealPath();
      SafeFiles.check(real, SafeFiles.Kind.FOLDER);
      BusSettings written = BusSettings.read(real);
      BusTrust trust = BusTrust.of(real, written.id(), environment);
      BusSettings settings = trust.isOurs() ? written : written.unobeyed();
      FileSystemCheck.check(real, FileSystemCheck.type(real), settings, environment);
      return new BusFolder(
          real,
          settings,
          trust,
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
  public ImportLimits foreignLimits() {
    return settings.foreign();
  }

  /**
   * The value of one setting in {@code bus.json}; null if it is absent, or if the bus is not ours.
   */
  public @Nullable Json setting(String name) {
    return isOurs() ? BusSettings.read(path, name) : null;
  }

  /**
   * Changes one setting in {@code bus.json}. Programs that have the bus open keep the old value.
   *
   * @throws ParleyException INVALID if the value is not allowed
   */
  public void set(String name, Json value) {
    checkOurs();
    BusSettings.set(path, name, value);
  }

  /** What survives once a message is acknowledged. */
  public Durability durability() {
    return durability;
  }

  /** Whether this user made or accepted the bus on this machine; if not, it can only be read. */
  public boolean isOurs() {
    return trust.isOurs();
  }

  /** Whether the bus is ours only until the process that made it ends. */
  public boolean isOwned() {
    return trust.reason() == BusTrust.Reason.OWNED;
  }

  /**
   * Refuses a bus that can only be read.
   *
   * @throws ParleyException REFUSED if it is not ours
   */
  public void checkOurs() {
    if (!isOurs()) {
      throw trust.refusal(path);
    }
  }

  /**
   * Whether files are inside the project of the bus: the git repository of the bus or of the
   * working folder, with all its worktrees; without a repository, the folder that holds the bus.
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
   * The registry entry of the bus. Null if the bus is not ours, is ephemeral, or is trusted only by
   * {@code PARLEY_TRUST}.
   */
  public @Nullable TrustEntry trust() {
    return trust.entry();
  }

  /** What the local user has mounted on the bus, read from the registry now. */
  public List<TrustedMount> mounts() {
    TrustEntry now = trust.refresh(path);
    return now == null ? List.of() : now.mounts();
  }

  /**
   * Changes what is mounted on the bus.
   *
   * @param change gets the present mounts; no other process changes them meanwhile
   * @throws ParleyException REFUSED if the bus is not in the registry
   */
  public void mount(UnaryOperator<List<TrustedMount>> change) {
    trust.mount(path, change);
  }

  /**
   * The key for the writer ids of programs that do not act for one session; null if the registry
   * has no entry.
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
            path, settings.limits(), polling, durability, resources, new RealDisk(), beforeAppends);
    if (trust() != null) {
      log.signFor(this::owner, keyFolder());
    }
    WriterKey key = writerKey();
    return key != null ? log.writeWith(key) : isOurs() ? log : log.onlyRead();
  }

  /** The private keys of this user's agents on this bus. */
  public KeyFolder keyFolder() {
    TrustedBuses registry = trust.registryOf(path);
    TrustEntry entry = trust();
    if (entry == null) {
      throw trust.refusal(path);
    }
    return registry.keys(entry.id());
  }

  /** Sets the owner, whose key decides which keys are valid; null removes the owner. */
  public void own(@Nullable PublicKey owner) {
    TrustedBuses registry = trust.registryOf(path);
    TrustEntry entry = trust();
    if (entry != null) {
      var _ = registry.own(entry, owner);
    }
  }

  /**
   * The key of the owner, the person that requires signatures on this bus; null if there is none.
   */
  public @Nullable PublicKey owner() {
    TrustEntry now = trust.refresh(path);
    return now == null || now.owner() == null ? null : PublicKey.parse(now.owner());
  }

  /**
   * A secret known only to the user that made or accepted this bus; null if the bus is not in the
   * registry. Without it, our own views can't be told from planted ones.
   */
  public byte @Nullable [] secret() {
    TrustEntry entry = trust();
    return entry == null ? null : entry.secret();
  }

  /**
   * The saved states of folds. Without a {@link #secret} a planted or edited view would not be
   * noticed, so views are kept in memory only.
   */
  public Views views() {
    byte @Nullable [] secret = secret();
    return secret == null ? Views.inMemory() : new FileViews(path, secret);
  }

  /** The store of contents that are too long for a line. */
  public Contents contents() {
    return isOurs()
        ? new FileContents(path, settings.maxContent(), durability)
        : Contents.inMemory(0);
  }

  /**
   * The log and everything beside it. Secrets of a bus that is not ours are neither read nor
   * written.
   */
  public FolderStore openStore() {
    return new FolderStore(
        openLog(),
        views(),
        contents(),
        isOurs() ? new FileCursors(path) : Cursors.inMemory(),
        isOurs() ? new SessionFiles(path) : SessionSecrets.inMemory(),
        resources.pending());
  }

  public Bus open(Reporter reporter) {
    return new Bus(openStore(), reporter);
  }
}
