package dev.parley.cli.setup;

import dev.parley.WorkingTree;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.Question;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.git.GitLayout;
import dev.parley.filelog.git.Repository;
import dev.parley.filelog.trust.TrustedBuses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Sets up Parley in the hosts on this machine. */
public final class SetupCommand implements Command {
  private static final String BACKUP = ".before-parley";

  private static final Parameter HOSTS =
      Parameter.optional("host", "which ones; all that are found if none is named")
          .choices("claude", "codex", "gemini", "antigravity", "cursor", "opencode")
          .repeated();
  private static final Option UNDO = Option.flag("--undo", "take away what was written");
  private static final Option YES = Option.flag("--yes", "change the files without being asked");
  private static final Option PRINT =
      Option.value("--print", "host", "print what its files would hold, and change nothing");
  private static final Option STRICT =
      Option.flag("--strict", "refuse an edit also when the guard fails, where the host can");

  @Override
  public Description description() {
    return Description.family(
        "setup",
        Group.CONNECT,
        "connect the agents' hosts on this machine",
        "Finds Claude Code, Codex, Gemini CLI, Antigravity, Cursor and OpenCode, shows what it would"
            + " change in their settings, asks, and changes it: the MCP server, hooks that guard edits"
            + " and announce mail, and for Codex the folders that sandboxed commands must write to."
            + " What else is in the files stays; a copy of each is kept beside it ("
            + BACKUP
            + "). Running it again changes nothing. It never grants a trust that the host asks"
            + " you for: it says what to confirm.",
        "hosts",
        List.of(
            Description.sub(
                "hosts", "connect hosts", List.of(HOSTS), List.of(UNDO, YES, PRINT, STRICT)),
            AgentsMd.description()),
        List.of(
            "parley setup",
            "parley setup claude codex --yes",
            "parley setup --print codex",
            "parley setup --undo",
            "parley setup agents-md",
            "parley setup agents-md --remove"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    if (invocation.arguments().subcommand().equals("agents-md")) {
      return AgentsMd.run(invocation);
    }
    String printed = invocation.arguments().value(PRINT);
    List<String> named = printed == null ? invocation.arguments().words(HOSTS) : List.of(printed);
    Path bus = printed == null ? invocation.bus().path() : busToPrint(invocation);
    List<HostSettings> hosts = chosen(invocation, bus, named);
    boolean undo = invocation.arguments().has(UNDO);
    boolean agreed = invocation.arguments().has(YES);
    List<Change> changes = new ArrayList<>();
    for (HostSettings host : hosts) {
      for (Edit edit : host.edits()) {
        changes.add(Change.of(host, edit, undo));
      }
    }
    if (printed != null) {
      changes.forEach(change -> print(invocation.out(), change));
      return ExitCode.OK;
    }
    List<Change> wanted = changes.stream().filter(Change::isNeeded).toList();
    if (!wanted.isEmpty()) {
      if (!invocation.out().isJson()) {
        wanted.forEach(change -> show(invocation.out(), change));
      }
      if (!agreed) {
        ask(invocation);
      }
      for (Change change : wanted) {
        change.write();
      }
    }
    answer(invocation.out(), hosts, changes, undo);
    return ExitCode.OK;
  }

  /**
   * A host that was set up here.
   *
   * @param isCurrent whether its settings match this version
   * @param isStrict whether it was set up with --strict, and does something else because of it
   */
  public record SetUp(String name, boolean isCurrent, boolean isStrict) {}

  /** The hosts set up for this repository. */
  public static List<SetUp> setUp(Invocation invocation) {
    return setUp(invocation, tree(invocation, invocation.bus().path()));
  }

  private static List<SetUp> setUp(Invocation invocation, Path tree) {
    List<SetUp> found = new ArrayList<>();
    Path bus = invocation.bus().path();
    List<HostSettings> strict = all(invocation, bus, tree, true);
    for (HostSettings host : all(invocation, bus, tree, false)) {
      boolean isCurrent = isCurrent(host);
      HostSettings same =
          strict.stream()
              .filter(other -> other.name().equals(host.name()))
              .findFirst()
              .orElse(host);
      boolean isStrict = !isCurrent && isCurrent(same);
      if (isThere(host)) {
        found.add(new SetUp(host.name(), isCurrent || isStrict, isStrict));
      }
    }
    return found;
  }

  private static boolean isThere(HostSettings host) {
    return host.edits().stream().anyMatch(edit -> isNeeded(host, edit, true, false));
  }

  private static boolean isCurrent(HostSettings host) {
    return host.edits().stream().noneMatch(edit -> isNeeded(host, edit, false, true));
  }

  /**
   * Whether an edit would change its file.
   *
   * @param unknown the answer if the file can't be read, or is a link
   */
  private static boolean isNeeded(HostSettings host, Edit edit, boolean undo, boolean unknown) {
    try {
      return Change.of(host, edit, undo).isNeeded();
    } catch (ParleyException e) {
      return unknown;
    }
  }

  /**
   * Writes the settings of a host into a worktree, as they are in the main checkout. The user has
   * agreed to them there.
   */
  public static void copyTo(Path tree, Invocation invocation, String host) throws IOException {
    Path bus = invocation.bus().path();
    boolean isStrict =
        setUp(invocation, mainCheckout(tree)).stream()
            .anyMatch(there -> there.name().equals(host) && there.isStrict());
    for (HostSettings settings : all(invocation, bus, tree, isStrict)) {
      if (settings.name().equals(host)) {
        change(settings, false);
      }
    }
  }

  /** Takes the settings of a host out of a worktree. */
  public static void removeFrom(Path tree, Invocation invocation, String host) throws IOException {
    for (HostSettings settings : all(invocation, invocation.bus().path(), tree, false)) {
      if (settings.name().equals(host)) {
        change(settings, true);
      }
    }
  }

  private static void change(HostSettings settings, boolean undo) throws IOException {
    for (Edit edit : settings.edits()) {
      Change change = Change.of(settings, edit, undo);
      if (change.isNeeded()) {
        change.write();
      }
    }
  }

  private static Path tree(Invocation invocation, Path bus) {
    return Path.of(WorkingTree.of(invocation.shell().folder(), bus).name());
  }

  private static List<HostSettings> all(
      Invocation invocation, Path bus, Path tree, boolean strict) {
    String program = System.getProperty("parley.home");
    String home = invocation.shell().variable("HOME"); // where the hosts look
    return new Hosts(
            Path.of(home == null ? System.getProperty("user.home") : home),
            mainCheckout(tree),
            tree,
            invocation.shell().environment(),
            program == null ? "parley" : Path.of(program, "parley").toString(),
            bus,
            TrustedBuses.of(invocation.shell().environment()).folder(),
            strict)
        .all();
  }

  /** Where some hosts read the settings for all worktrees; a bare repository has none. */
  private static Path mainCheckout(Path tree) {
    try {
      GitLayout git = Repository.layout(tree);
      return git != null && Files.isDirectory(git.busHome().resolve(".git")) ? git.busHome() : tree;
    } catch (IOException e) {
      return tree;
    }
  }

  /** The folder of the bus, or the one that parley init would make. */
  private static Path busToPrint(Invocation invocation) throws IOException {
    try {
      return invocation.busToLookAt().path();
    } catch (ParleyException e) {
      Path named = invocation.namedBus();
      GitLayout git = Repository.layout(invocation.shell().folder());
      Path home = git == null ? invocation.shell().folder() : git.busHome();
      return named == null ? home.resolve(BusFolder.NAME) : named;
    }
  }

  private static List<HostSettings> chosen(Invocation invocation, Path bus, List<String> named) {
    List<HostSettings> all =
        all(invocation, bus, tree(invocation, bus), invocation.arguments().has(STRICT));
    for (String name : named) {
      if (all.stream().noneMatch(host -> host.name().equals(name))) {
        throw ParleyException.invalid(
            "unknown-host",
            "Unknown host \"" + name + "\".",
            "Use one of: "
                + String.join(", ", all.stream().map(HostSettings::name).toList())
                + ".");
      }
    }
    boolean undoes = invocation.arguments().has(UNDO); // also where the host is gone by now
    List<HostSettings> chosen =
        all.stream()
            .filter(host -> named.isEmpty() ? undoes || host.found() : named.contains(host.name()))
            .toList();
    if (chosen.isEmpty()) {
      throw ParleyException.refused(
          "no-host", "No host was found on this machine.", "Name one: parley setup claude");
    }
    return chosen;
  }

  /** The change of a file. */
  private record Change(HostSettings host, Path file, String before, String after, boolean undo) {
    static Change of(HostSettings host, Edit edit, boolean undo) {
      try {
        boolean exists = Files.exists(edit.file(), LinkOption.NOFOLLOW_LINKS);
        if (Files.isSymbolicLink(edit.file())) {
          throw ParleyException.refused(
              "unsafe-file",
              edit.file() + " is a symbolic link.",
              "Change its target yourself; parley setup --print " + host.name() + " says how.");
        }
        String before = exists ? Files.readString(edit.file()) : "";
        String after = undo ? (exists ? without(edit, before) : "") : edit.with().apply(before);
        return new Change(host, edit.file(), before, after, undo);
      } catch (IOException | JsonException e) {
        throw new ParleyException(
            ParleyException.Kind.REFUSED,
            "unknown-format",
            edit.file() + " can't be read as what it should be: " + e.getMessage() + ".",
            "Put it right, or change it yourself: parley setup --print " + host.name(),
            e);
      }
    }

    /**
     * The file as it was before the first change, if nothing else has changed since; otherwise
     * without our part. A file in which nothing is left goes, unless it was there before.
     */
    private static String without(Edit edit, String before) throws IOException {
      String after = edit.without().apply(before);
      Path backup = edit.file().resolveSibling(edit.file().getFileName() + BACKUP);
      if (!Files.exists(backup)) {
        return after;
      }
      String first = Files.readString(backup);
      boolean isAllOurs = after.isEmpty() && edit.without().apply(first).isEmpty();
      return isAllOurs || isOnlyOurs(edit, first, before) ? first : after;
    }

    private static boolean isOnlyOurs(Edit edit, String first, String now) {
      try {
        return edit.with().apply(first).equals(now);
      } catch (ParleyException e) {
        return false; // an earlier version has written it
      }
    }

    boolean isNeeded() {
      return !before.equals(after);
    }

    /** Writes the file atomically. The original from before the first change is kept. */
    void write() throws IOException {
      Path backup = file.resolveSibling(file.getFileName() + BACKUP);
      if (undo && Files.exists(backup) && Files.readString(backup).equals(after)) {
        Files.delete(backup);
      }
      if (!undo && !before.isEmpty() && !Files.exists(backup)) {
        Files.copy(file, backup, StandardCopyOption.COPY_ATTRIBUTES);
      }
      if (after.isEmpty()) {
        Files.delete(file);
        return;
      }
      Files.createDirectories(file.resolveSibling("."));
      Path next = file.resolveSibling(file.getFileName() + ".parley-new");
      Files.deleteIfExists(next);
      if (!before.isEmpty()) {
        Files.copy(file, next, StandardCopyOption.COPY_ATTRIBUTES);
      }
      Files.writeString(next, after);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void print(Output out, Change change) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("host", change.host().name())
              .put("file", change.file().toString())
              .put("content", change.after())
              .build());
      return;
    }
    out.line("# " + Printable.text(change.file().toString()));
    change.after().lines().forEach(line -> out.line(Printable.text(line)));
  }

  private static void show(Output out, Change change) {
    out.line(change.host().title() + ": " + Printable.text(change.file().toString()));
    LineDiff.of(change.before(), change.after())
        .forEach(line -> out.line("  " + Printable.text(line)));
  }

  private static void ask(Invocation invocation) throws IOException {
    if (!Question.canBeAsked(invocation)) {
      throw ParleyException.refused(
          "nobody-to-ask",
          "There is no terminal to ask on, so nothing was changed.",
          "If that is what you want: add --yes");
    }
    if (!Question.isYes(invocation, "Change these files? [y/N]")) {
      throw ParleyException.refused(
          "not-accepted", "Nothing was changed.", "parley setup --print <host> shows it again.");
    }
  }

  private static void answer(
      Output out, List<HostSettings> hosts, List<Change> changes, boolean undo) {
    for (Change change : changes) {
      String state = !change.isNeeded() ? "unchanged" : undo ? "removed" : "written";
      if (out.isJson()) {
        out.line(
            Json.object()
                .put("host", change.host().name())
                .put("file", change.file().toString())
                .put("state", state)
                .put("confirm", Json.ofStrings(undo ? List.of() : change.host().notes()))
                .build());
      } else {
        out.line(state + " " + Printable.text(change.file().toString()));
      }
    }
    if (!out.isJson() && !undo) {
      for (HostSettings host : hosts) {
        out.line(host.title() + ":");
        host.notes().forEach(note -> out.line("  - " + note));
      }
    }
  }
}
