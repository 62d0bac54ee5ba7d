package dev.parley.filelog.health;

import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.BusSettings;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.SafeFiles;
import dev.parley.filelog.store.FileContents;
import dev.parley.filelog.store.FileViews;
import dev.parley.filelog.trust.BusTrust;
import dev.parley.filelog.trust.TrustedBuses;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks everything in a bus folder, reports what is wrong, and repairs what can be repaired
 * without changing an offset.
 *
 * <p>It also works on folders that can't be opened as a bus, and while other programs use the bus.
 *
 * <table>
 * <caption>What repairing does</caption>
 * <tr><td>wrong permissions</td><td>set to 0700 and 0600</td></tr>
 * <tr><td>a torn tail</td>
 *   <td>ended with a newline, so that it becomes a line, possibly damaged</td></tr>
 * <tr><td>damaged lines, gaps, repeats, lines of another topic</td>
 *     <td>recorded in {@code known-damage.json} and reported as notes from then on</td></tr>
 * <tr><td>views that were changed</td><td>deleted; folds write new ones</td></tr>
 * <tr><td>anything else</td><td>nothing; a person must decide</td></tr>
 * </table>
 */
public final class HealthCheck {
  private final Path folder;
  private final Map<String, String> environment;
  private final boolean repair;
  private final Consumer<Finding> findings;
  private boolean healthy = true;

  /** Whether the folder's content is trusted and may be changed. */
  private boolean ours;

  private HealthCheck(
      Path folder, Map<String, String> environment, boolean repair, Consumer<Finding> findings) {
    this.folder = folder;
    this.environment = environment;
    this.repair = repair;
    this.findings = findings;
  }

  /** Receives the progress of a check. */
  public interface Progress {
    void at(Topic topic, long done, long size);
  }

  /**
   * Examines a bus folder, whether or not it can be used.
   *
   * @param findings called with each finding as it is made, repaired or not
   * @return whether the bus is healthy after the repairs
   */
  public static boolean run(
      Path folder,
      Map<String, String> environment,
      boolean repair,
      Consumer<Finding> findings,
      Progress progress) {
    HealthCheck checkup = new HealthCheck(folder, environment, repair, findings);
    try {
      checkup.examine(progress);
    } catch (IOException e) {
      throw IoErrors.reading(folder.resolve(BusSettings.FILE), e);
    }
    return checkup.healthy;
  }

  private void examine(Progress progress) throws IOException {
    Limits limits = settings();
    if (repair && !ours) {
      throw BusFolder.notTrusted(folder);
    }
    waking(limits);
    FolderCheck inside = new FolderCheck(folder, repair, this::found);
    inside.run();
    contents(inside.contents());
    views(inside.views());
    KnownDamage known = ours ? KnownDamage.load(folder, this::found) : KnownDamage.none(folder);
    for (Map.Entry<Topic, Path> topic : inside.topics().entrySet()) {
      TopicCheck check = new TopicCheck(topic.getKey(), topic.getValue(), limits, progress);
      try {
        if (repair) {
          check.endTornTail(this::found);
        }
        check.run(finding -> found(known.judge(finding, repair)));
      } catch (IOException e) {
        found(
            Finding.problem(
                "unreadable",
                Finding.Place.of(topic.getValue()),
                "It cannot be read: " + IoErrors.reason(e) + ".",
                null));
      }
    }
    known.save();
  }

  private void contents(List<Path> files) throws IOException {
    for (Path file : files) {
      if (!FileContents.isSound(file)) {
        found(
            Finding.problem(
                "content-damaged",
                Finding.Place.of(file),
                "It is not what was stored there. Ask the sender to send it again, or delete the"
                    + " file.",
                null));
      }
    }
  }

  private void views(List<Path> files) throws IOException {
    byte @Nullable [] secret;
    try {
      secret = BusFolder.at(folder, environment).secret();
    } catch (ParleyException e) {
      return; // it can't be opened as a bus, which was reported already; its views are not checked
    }
    if (secret == null) {
      return; // views are not read either
    }
    FileViews views = new FileViews(folder, secret);
    for (Path file : files) {
      switch (views.examine(file)) {
        case NONE -> {}
        case UNSEALED ->
            found(
                Finding.note(
                    "old-view",
                    Finding.Place.of(file),
                    "An earlier version wrote it. It is not used, and is rebuilt when needed."));
        case CHANGED -> changedView(file);
      }
    }
  }

  private void changedView(Path file) throws IOException {
    Finding finding =
        Finding.problem(
            "view-changed",
            Finding.Place.of(file),
            "Another program wrote or changed it. It is not used, and is rebuilt when needed.",
            "delete it");
    if (repair) {
      Files.deleteIfExists(file);
      finding = finding.done();
    }
    found(finding);
  }

  private void found(Finding finding) {
    healthy &= !finding.isOpen();
    findings.accept(finding);
  }

  private Limits settings() throws IOException {
    Finding.Place file = Finding.Place.of(folder.resolve(BusSettings.FILE));
    BusSettings settings = BusSettings.DEFAULT;
    boolean readable = true;
    try {
      // Opening a pipe would block for ever. It is reported with the other files.
      if (SafeFiles.problem(file.path(), SafeFiles.Kind.FILE) == null) {
        settings = BusSettings.read(folder);
      }
    } catch (ParleyException e) {
      readable = false;
      String advice =
          e.code().equals("newer-format")
              ? e.next()
              : "Restore it; or remove it and accept the bus again: then the usual settings hold.";
      found(Finding.problem(e, file, advice));
    }
    trust(settings.id(), readable);
    if (!ours) {
      settings = settings.unobeyed();
    }
    String type = FileSystemCheck.type(folder);
    if (FileSystemCheck.isNetworked(type)) {
      try {
        FileSystemCheck.check(folder, type, settings, environment);
        found(
            Finding.note(
                "network-file-system",
                Finding.Place.of(folder),
                "It is on a network file system (" + type + "); only one machine may use it."));
      } catch (ParleyException e) {
        found(Finding.problem(e, Finding.Place.of(folder), e.next()));
      }
    }
    return settings.limits();
  }

  private void trust(String id, boolean readable) throws IOException {
    BusTrust trust = BusTrust.of(folder.toRealPath(), id, environment);
    // Damaged settings have no id, so only the path tells whether they may be repaired.
    ours = trust.isOurs() || (!readable && TrustedBuses.of(environment).knows(folder));
    ParleyException trouble = trust.trouble();
    if (trouble != null) {
      found(Finding.problem(trouble, Finding.Place.of(folder), trouble.next()));
    }
    if (!ours) {
      found(
          Finding.note(
              "not-trusted",
              Finding.Place.of(folder),
              "You have not made or accepted this bus on this machine: nothing in it is obeyed"
                  + " until you do."));
    }
  }

  private void waking(Limits limits) {
    Finding.Place place = Finding.Place.of(folder);
    try (FileLog log = new FileLog(folder, limits, PollingInterval.from(environment))) {
      String way = log.wayOfWaking();
      found(Finding.note("waking", place, "Changes are detected by " + way + "."));
    } catch (ParleyException e) {
      found(Finding.problem(e, place, e.next()));
    }
  }
}
