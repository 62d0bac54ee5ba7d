package dev.parley.filelog;

import dev.parley.core.Bus;
import dev.parley.core.Contents;
import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.Reporter;
import dev.parley.core.SipHash;
import dev.parley.core.Views;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A folder that holds a bus: where it is, how it is made, how it is opened.
 *
 * <pre>
 * .parley/              0700
 *   bus.json            format, host, limits (BusSettings)
 *   &lt;topic&gt;.jsonl       0600, one line an envelope
 *   cursors/&lt;name&gt;.json where a subscription goes on
 *   views/&lt;name&gt;.json   what a fold has come to; thrown away at will
 *   content/&lt;digest&gt;    what is too long for a line
 * </pre>
 */
public final class BusFolder {
  /** What a bus folder is called where nobody named one. */
  public static final String NAME = ".parley";

  private final Path path;
  private final BusSettings settings;
  private final PollingInterval polling;
  private final Durability durability;
  private final Capacity capacity;

  private BusFolder(
      Path path,
      BusSettings settings,
      PollingInterval polling,
      Durability durability,
      Capacity capacity) {
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
   * @throws ParleyException REFUSED if there is none, or it must not be used
   */
  public static BusFolder find(
      @Nullable Path explicit, Path workingFolder, Map<String, String> environment) {
    return at(locate(explicit, workingFolder, environment), environment);
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
          "Make one with parley init, or name one with --bus.");
    }
    if (!Files.isDirectory(found)) {
      throw ParleyException.refused(
          "no-bus",
          "There is no bus at " + found + ".",
          "Make it with parley init --bus " + found + ".");
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
      GitLayout git = repository(workingFolder);
      Path home = git == null ? workingFolder : git.busHome();
      Path folder = named != null ? named : home.resolve(NAME);
      boolean created = !Files.isRegularFile(folder.resolve(BusSettings.FILE));
      create(folder);
      return new Made(at(folder, environment), created, git == null ? null : git.exclude(folder));
    } catch (IOException e) {
      throw cantCreate(e, named(explicit, workingFolder, environment), workingFolder);
    }
  }

  private static ParleyException cantCreate(
      IOException cause, @Nullable Path named, Path workingFolder) {
    Path folder = named != null ? named : workingFolder.resolve(NAME);
    DiskTrouble trouble = DiskTrouble.writing(folder.resolve(BusSettings.FILE), cause);
    return new ParleyException(
        ParleyException.Kind.FAILED, trouble.code(), trouble.what(), trouble.next(), cause);
  }

  /** Makes the folder and its settings unless they are there. */
  static void create(Path folder) throws IOException {
    SafeFiles.createFolder(folder);
    Path settings = folder.resolve(BusSettings.FILE);
    if (!Files.exists(settings)) {
      SafeFiles.replace(settings, BusSettings.forNewBus(Instant.now()));
    }
  }

  /** The bus in a folder that exists. */
  static BusFolder at(Path folder, Map<String, String> environment) {
    try {
      Path real = folder.toRealPath();
      SafeFiles.check(real, SafeFiles.Kind.FOLDER);
      BusSettings settings = BusSettings.read(real);
      FileSystemCheck.check(real, FileSystemCheck.type(real), settings, environment);
      return new BusFolder(
          real,
          settings,
          PollingInterval.from(environment),
          durability(settings, environment),
          Capacity.from(environment));
    } catch (IOException e) {
      throw DiskTrouble.reading(folder.resolve(BusSettings.FILE), e);
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
              "If you trust it, name it with --bus or PARLEY_BUS.");
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
      throw DiskTrouble.reading(workingFolder.resolve(NAME), e);
    }
  }

  private static @Nullable GitLayout repository(Path workingFolder) throws IOException {
    for (Path folder = workingFolder; folder != null; folder = folder.getParent()) {
      GitLayout git = GitLayout.at(folder);
      if (git != null) {
        return git;
      }
    }
    return null;
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

  /** What an acknowledgement on this bus means. */
  public Durability durability() {
    return durability;
  }

  public FileLog openLog() {
    Runnable beforeAppends =
        settings.format() < BusSettings.FORMAT ? () -> BusSettings.raiseFormat(path) : () -> {};
    return new FileLog(
        path, settings.limits(), polling, durability, capacity, new RealDisk(), beforeAppends);
  }

  /** What only who may use this bus knows. */
  byte[] secret() {
    return new byte[SipHash.KEY];
  }

  /** Where folds of this bus keep what they have come to. */
  public Views views() {
    return new FileViews(path, secret());
  }

  /** Where what is too long for a line of this bus is kept. */
  public Contents contents() {
    return new FileContents(path, settings.maxContent(), durability);
  }

  public Bus open(Reporter reporter) {
    return new Bus(openLog(), new FileCursors(path), reporter, capacity.pending());
  }
}
