package dev.parley.dialects.mount;

import dev.parley.coordination.ReservedTopic;
import dev.parley.coordination.bulletin.BulletinAlias;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.mail.ForeignMailProxy;
import dev.parley.coordination.roster.Roster;
import dev.parley.coordination.work.ExternalLockTables;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.dialects.conductor.EventFiles;
import dev.parley.dialects.conductor.LockTable;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.message.OversizeStore;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.MirrorState;
import dev.parley.dialects.sync.MirrorTypes;
import dev.parley.dialects.sync.OutgoingMessage;
import dev.parley.dialects.sync.SyncBudget;
import dev.parley.dialects.sync.SyncPass;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.text.Explanation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The mounts of a bus: adds and removes them, and keeps their files and the log in step. */
public final class Mounts implements AutoCloseable {
  /** How long to wait for another process that works on the same mount. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** Note: the files were reported as missing. */
  private static final String ABSENCE = "absence";

  private static final String ABSENT = "is mounted but missing; it is used again when it is back";

  private final Path bus;
  private final FileLog log;
  private final boolean closesLog;
  private final MountRegistry registry;
  private final LedgerOwner owner;
  private final Sessions sessions;
  private final ForeignMailProxy proxy;
  private final OversizeStore oversize;
  private final Consumer<FileRemark> remarks;
  private final Map<Mount, Open> open = new LinkedHashMap<>();
  private final Map<Mount, SyncBudget> budgets = new HashMap<>();
  private final BusFolder folder;
  private final Reporter reporter;

  /** A mount and the folded notes of its passes. */
  private record Open(Dialect.Opened dialect, FoldReader<MirrorState> state) {}

  /** Opens the log of a bus, and closes it in {@link #close}. */
  public Mounts(BusFolder folder, Reporter reporter, Consumer<FileRemark> remarks) {
    this(folder, folder.openLog(), Optional.empty(), reporter, remarks);
  }

  /** Uses a log that the caller opens and closes, beside the owner of its ledger. */
  public Mounts(
      BusFolder folder,
      FileLog log,
      LedgerOwner owner,
      Reporter reporter,
      Consumer<FileRemark> remarks) {
    this(folder, log, Optional.of(owner), reporter, remarks);
  }

  private Mounts(
      BusFolder folder,
      FileLog log,
      Optional<LedgerOwner> owner,
      Reporter reporter,
      Consumer<FileRemark> remarks) {
    this.folder = folder;
    this.bus = folder.path();
    this.log = log;
    this.closesLog = owner.isEmpty();
    this.reporter = reporter;
    this.remarks = remarks;
    this.oversize = new OversizeStore(folder.contents(), log.limits());
    this.registry = new MountRegistry(folder, log, reporter);
    this.owner =
        owner.orElseGet(
            () -> new LedgerOwner(log, folder.views(), reporter, InstantSource.system()));
    this.sessions = new Sessions(this.owner);
    this.proxy = new ForeignMailProxy("mounted", this.owner, log, folder.views(), reporter);
  }

  /** What the local user has mounted, by the registry, never by the log. */
  public List<Mount> list() {
    return registry.list();
  }

  /** What the log describes as mounted although the local user has not mounted it. */
  public List<Mount> describedOnly() {
    return registry.describedOnly();
  }

  /** Mounts a folder or file under a topic: {@link #mount}. */
  public Mount add(Dialect dialect, Path path, @Nullable String name, @Nullable Topic topic) {
    return registry.add(dialect, path, name, topic);
  }

  /**
   * Mounts a folder or file.
   *
   * @param topics all topics, if those of the files are the free topics of the bus
   * @throws ParleyException REFUSED if the name is taken, the path is mounted already or lacks the
   *     tool's layout, or the bus is not in the registry; INVALID if the tool has no topics
   */
  public Mount mount(Dialect dialect, Path path, @Nullable String name, Prefix topics) {
    return registry.mount(dialect, path, name, topics);
  }

  /** The mount at a path; null if there is none. */
  public @Nullable Mount at(Path path) {
    return registry.at(path);
  }

  /** Unmounts. The files and the log stay as they are. */
  public Mount remove(String name) {
    return registry.remove(name);
  }

  /**
   * Has the next pass send outbox entries that were taken for read: those older than the mount, and
   * those that probably were read.
   *
   * @return how many
   */
  public int recall(Mount mount) {
    Open opened = open(mount);
    Set<String> past = opened.dialect.mirror().recallable(opened.state.refresh());
    if (!past.isEmpty()) {
      Json note = Json.object().put("recalled", Json.ofStrings(List.copyOf(past))).build();
      var _ =
          log.append(
              MirrorState.topicOf(mount.name()),
              List.of(Message.of(Bus.SYSTEM, MirrorTypes.SYNCED, note)));
    }
    return past.size();
  }

  /** How many outbox entries were not sent because they are older than the mount. */
  public int past(Mount mount) {
    return open(mount).state.refresh().past().size();
  }

  /** The folders in which a change may mean work. */
  public List<Path> folders() {
    Set<Path> folders = new LinkedHashSet<>(List.of(bus));
    for (Mount mount : list()) {
      folders.add(nearestThere(mount.path()));
      try {
        folders.addAll(open(mount).dialect.mirror().folders());
      } catch (ParleyException e) {
        ForeignFile.checkIsTrouble(e); // vanished; the watch on its parent reports its return
      }
    }
    return List.copyOf(folders);
  }

  /** The nearest existing folder above the files, where they would reappear. */
  private static Path nearestThere(Path files) {
    Path folder = files.getParent();
    while (folder != null && !Files.isDirectory(folder)) {
      folder = folder.getParent();
    }
    return folder == null ? files : folder;
  }

  /**
   * Brings every mount and the log in step. A mount that another process works on is left to that
   * process.
   */
  public void sync() throws InterruptedException {
    boolean busy = true;
    while (busy) {
      busy = false;
      for (Mount mount : list()) {
        busy |= tolerantSync(mount); // messages of one mount may be for another
      }
    }
  }

  /**
   * Other tools may delete, replace or lock their files at any moment. Such a failure is reported
   * and tried again later. It stops neither the other mounts nor the commands of the bus.
   */
  private boolean tolerantSync(Mount mount) throws InterruptedException {
    try {
      return sync(mount);
    } catch (ParleyException e) {
      ForeignFile.checkIsTrouble(e);
      if (!Files.isDirectory(bus)) {
        throw e; // the bus itself was removed
      }
      if (mount.dialect().isAt(mount.path())) {
        remarks.accept(new FileRemark(mount.path(), 0, false, Explanation.messageOf(e)));
      } else {
        reportOnce(mount, ABSENT);
      }
      return false;
    }
  }

  /**
   * Reports only once that files are missing or no longer the mounted ones. Other tools remove
   * their folders between two runs, and otherwise every command would report it again.
   */
  private void reportOnce(Mount mount, @Nullable String absence) {
    FoldReader<MirrorState> state = open.containsKey(mount) ? open(mount).state : state(mount);
    String told = state.refresh().told(ABSENCE);
    if (!Objects.equals(absence, told)) {
      Map<String, @Nullable String> note = new HashMap<>();
      note.put(ABSENCE, absence);
      access(mount, state).tell(note);
    }
    if (absence != null && !absence.equals(told)) {
      remarks.accept(new FileRemark(mount.path(), 0, false, absence));
    }
  }

  /** Works on one mount until nothing is left to do; false if there was nothing. */
  private boolean sync(Mount mount) throws InterruptedException {
    String absence = absence(mount);
    if (absence != null) {
      reportOnce(mount, absence);
      return false;
    }
    try (MountLock lock = MountLock.take(bus, mount.name(), PATIENCE)) {
      if (lock == null) {
        remarks.accept(
            new FileRemark(mount.path(), 0, true, "is being synchronised by another process"));
        return false;
      }
      reportOnce(mount, null);
      boolean busy = false;
      while (pass(mount)) {
        busy = true;
      }
      return busy;
    }
  }

  /**
   * Why a mount can't be worked on; null if it can. The user mounted these very files: if a link
   * has replaced one of their folders, the link's target was never mounted.
   */
  private @Nullable String absence(Mount mount) {
    if (!mount.dialect().isAt(mount.path())) {
      return ABSENT;
    }
    Path link = SymbolicLinks.leadingAway(mount.path());
    if (link == null && !mount.dialect().isFile()) {
      for (Path inside : open(mount).dialect.mirror().folders()) {
        link = link == null ? SymbolicLinks.leadingAway(inside) : link;
      }
    }
    return link == null ? null : "is left alone: " + link + " is a symbolic link now";
  }

  private boolean pass(Mount mount) {
    Open opened = open(mount);
    MirrorState state = opened.state.refresh();
    Roster roster = owner.look(ledger -> ledger.roster().copy());
    SyncBudget budget = budgets.getOrDefault(mount, SyncBudget.FIRST);
    OutgoingMessage.Found found = outgoing(mount, opened, roster);
    int longestId = folder.foreignLimits().id();
    SyncPass pass =
        new SyncPass(mount.name(), log, state, roster, proxy, oversize, longestId, budget, found);
    try {
      opened.dialect.mirror().exchange(pass);
      List<String> unknown =
          pass.newResidents().stream().filter(name -> !roster.knows(name)).toList();
      if (!unknown.isEmpty()) {
        sessions.expect(Bus.SYSTEM, unknown);
      }
      boolean busy = pass.finish();
      budgets.put(mount, budget.next());
      return busy;
    } finally {
      pass.settle();
    }
  }

  /**
   * The topics that the files get as well. Of the bus's own topics, only the bulletins are among
   * them.
   */
  private List<Topic> sharedTopics(Mount mount) {
    List<Topic> shared = new ArrayList<>();
    for (Topic topic : log.topics(mount.topics())) {
      if (mount.topics().root() != null || ReservedTopic.of(topic) == null) {
        shared.add(topic);
      }
    }
    if (mount.dialect().hasTopics()) {
      shared.addAll(log.topics(new Prefix(BulletinAlias.bulletins())));
    }
    return shared;
  }

  private Open open(Mount mount) {
    return open.computeIfAbsent(
        mount,
        one -> {
          FoldReader<MirrorState> state = state(one);
          return new Open(one.dialect().open(one, access(one, state)), state);
        });
  }

  private FoldReader<MirrorState> state(Mount mount) {
    return new FoldReader<>(log, folder.views(), reporter, MirrorState.of(mount.name()));
  }

  private BusAccess access(Mount mount, FoldReader<MirrorState> state) {
    return new BusAccess(
        mount.name(),
        mount.topic(),
        log,
        folder.foreignLimits(),
        owner,
        proxy,
        state::refresh,
        remarks);
  }

  /** The lock tables that leases of this bus must be written to. */
  public ExternalLockTables locks() {
    List<LockTable> tables =
        conductors().stream()
            .sorted(Comparator.comparing(Mount::path))
            .map(mount -> new LockTable(mount.path(), access(mount, state(mount))))
            .toList();
    return tables.isEmpty() ? ExternalLockTables.NONE : new MountedLocks(tables);
  }

  /**
   * The event files of all mounts.
   *
   * @throws ParleyException REFUSED if no mount has event files
   */
  public EventFiles events() {
    List<Path> folders = conductors().stream().map(Mount::path).toList();
    if (folders.isEmpty()) {
      throw ParleyException.refused(
          "no-event-files",
          "No mounted folder has event files.",
          "Mount it: parley mount conductor .message-bus");
    }
    return new EventFiles(folders);
  }

  private List<Mount> conductors() {
    return list().stream()
        .filter(mount -> mount.dialect() == Dialect.CONDUCTOR)
        .filter(mount -> absence(mount) == null)
        .toList();
  }

  /** Reads all foreign files and returns what can't be read. */
  public List<FileRemark> examine() {
    return check().stream().flatMap(checked -> checked.remarks().stream()).toList();
  }

  /** Checks each mount: whether its files and the log are in step, and why not. */
  public List<MountCheck> check() {
    return list().stream().map(this::check).toList();
  }

  private MountCheck check(Mount mount) {
    List<FileRemark> found = new ArrayList<>();
    String absence = absence(mount);
    Open opened = open(mount);
    MirrorState state = opened.state.refresh();
    long unread = 0;
    int unwritten = 0;
    try {
      unwritten = outgoing(mount).size();
      if (absence == null) {
        unread = opened.dialect.mirror().unread(state);
        opened.dialect.mirror().examine(found::add);
      } else {
        found.add(new FileRemark(mount.path(), 0, false, absence));
      }
    } catch (ParleyException e) {
      ForeignFile.checkIsTrouble(e);
      found.add(new FileRemark(mount.path(), 0, false, Explanation.messageOf(e)));
    }
    contents(mount, found::add);
    return new MountCheck(mount, absence == null, unread, unwritten, found, state.residents());
  }

  /** The log's messages for a mount's files that no pass has noted as written. */
  private List<OutgoingMessage> outgoing(Mount mount) {
    Roster roster = owner.look(ledger -> ledger.roster().copy());
    return outgoing(mount, open(mount), roster).outgoing();
  }

  private OutgoingMessage.Found outgoing(Mount mount, Open opened, Roster roster) {
    MirrorState state = opened.state.refresh();
    Set<String> residents = new LinkedHashSet<>(opened.dialect.mirror().holders());
    state.residents().stream().filter(name -> roster.isElsewhere(name)).forEach(residents::add);
    Collection<Topic> shared = opened.dialect.shared() ? sharedTopics(mount) : List.of();
    boolean routes = opened.dialect.routes();
    return OutgoingMessage.find(
        log, mount.name(), state, shared, residents, routes, SyncBudget.OUTGOING);
  }

  /** Reports the messages stored by reference whose content is lost. */
  private void contents(Mount mount, Consumer<FileRemark> found) {
    forEach(
        mount,
        envelope -> {
          String lost = oversize.lost(envelope);
          if (lost != null) {
            found.accept(
                new FileRemark(mount.path(), 0, false, "message " + envelope.id() + ": " + lost));
          }
        });
  }

  /**
   * The locks of this bus that programs without the mutex overwrote or removed, in order for each
   * mount.
   */
  public List<OverwrittenLock> clobberedLocks() {
    List<OverwrittenLock> found = new ArrayList<>();
    for (Mount mount : list()) {
      if (mount.dialect() == Dialect.CONDUCTOR) {
        owner.look(ledger -> {
          forEach(
              mount,
              envelope -> {
                if (envelope.isNative() && envelope.type().equals(MirrorTypes.LOCK_CLOBBERED)) {
                  found.add(OverwrittenLock.of(mount, envelope, ledger.leases(), owner.now()));
                }
              });
          return found;
        });
      }
    }
    return found;
  }

  private void forEach(Mount mount, Consumer<Envelope> action) {
    for (Topic topic : sharedTopics(mount)) {
      WholeTopic.forEach(log, topic, action);
    }
  }

  @Override
  public void close() {
    if (closesLog) {
      log.close();
    }
  }
}
