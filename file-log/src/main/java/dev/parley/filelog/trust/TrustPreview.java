package dev.parley.filelog.trust;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.BusId;
import dev.parley.filelog.BusSettings;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.SafeFiles;
import dev.parley.filelog.health.KnownDamage;
import dev.parley.filelog.store.FileViews;
import dev.parley.filelog.store.SessionFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A bus that the user may accept: shows what accepting it would change, and accepts it.
 *
 * <table>
 * <caption>What accepting does with the content of the folder</caption>
 * <tr><td>topics, contents, cursors</td><td>are kept</td></tr>
 * <tr><td>settings of bus.json</td>
 *   <td>take effect; the bus gets a new id if it has none, or if
 *   another folder has the same</td></tr>
 * <tr><td>views, secrets of sessions, known damage</td>
 *   <td>are deleted: folds write new views, and agents join again</td></tr>
 * <tr><td>mounts that the log describes</td><td>are not accepted</td></tr>
 * </table>
 */
public final class TrustPreview {
  /** Members of bus.json that are not settings. */
  private static final Set<String> DESCRIBING = Set.of("format", "id", "host", "created");

  private final BusFolder bus;
  private final Map<String, String> environment;

  private TrustPreview(BusFolder bus, Map<String, String> environment) {
    this.bus = bus;
    this.environment = environment;
  }

  public static TrustPreview of(BusFolder bus, Map<String, String> environment) {
    return new TrustPreview(bus, environment);
  }

  /** The settings in bus.json, by name. */
  public Map<String, Json> settings() {
    Map<String, Json> settings = new LinkedHashMap<>();
    Path file = bus.path().resolve(BusSettings.FILE);
    try {
      SafeFiles.check(file, SafeFiles.Kind.FILE);
      Json.parse(Files.readString(file))
          .fields()
          .forEach((name, value) -> {
            if (!DESCRIBING.contains(name)) {
              settings.put(name, value);
            }
          });
    } catch (NoSuchFileException e) {
      return settings;
    } catch (IOException | JsonException e) {
      throw IoErrors.reading(file, e instanceof IOException io ? io : new IOException(e));
    }
    return settings;
  }

  /** The number of session secrets that accepting would delete. */
  public int sessions() {
    return Math.toIntExact(
        new SessionFiles(bus.path()).all().stream().filter(kept -> kept.place() == null).count());
  }

  /** The number of views that accepting would delete. */
  public int views() {
    return files(FileViews.FOLDER).size();
  }

  /**
   * Accepts the bus on this machine, without mounts.
   *
   * @throws ParleyException REFUSED if the bus is ephemeral
   */
  public TrustEntry accept() {
    if (bus.isOwned()) {
      throw ParleyException.refused(
          "ephemeral",
          "The bus " + bus.path() + " is trusted as long as its owner runs, and no longer.",
          ParleyException.NEXT_BY_CODE);
    }
    TrustedBuses registry = TrustedBuses.of(environment);
    return registry.changing(() -> {
      discard();
      String id = id(registry);
      Files.setPosixFilePermissions(bus.path(), SafeFiles.FOLDER);
      return registry.enter(id, bus.path(), TrustEntry.How.ACCEPTED);
    });
  }

  private void discard() throws IOException {
    List<Path> believed = new ArrayList<>(files(SessionFiles.FOLDER));
    believed.addAll(files(FileViews.FOLDER));
    believed.add(bus.path().resolve(KnownDamage.FILE));
    for (Path file : believed) {
      Files.deleteIfExists(file);
    }
  }

  /**
   * The id of the bus, or a new one if another folder has the same: two folders never share an
   * entry.
   */
  private String id(TrustedBuses registry) throws IOException {
    Path file = bus.path().resolve(BusSettings.FILE);
    String has = BusSettings.read(bus.path()).id();
    if (!has.isEmpty() && !registry.isKnownElsewhere(has, bus.path())) {
      return has;
    }
    String id = BusId.random();
    SafeFiles.replace(
        file,
        Files.exists(file, LinkOption.NOFOLLOW_LINKS)
            ? BusSettings.withId(file, id)
            : BusSettings.forNewBus(Instant.now(), id));
    return id;
  }

  private List<Path> files(String name) {
    Path folder = bus.path().resolve(name);
    List<Path> files = new ArrayList<>();
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return files;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          files.add(entry);
        }
      }
    } catch (IOException e) {
      throw IoErrors.reading(folder, e);
    }
    return files;
  }
}
