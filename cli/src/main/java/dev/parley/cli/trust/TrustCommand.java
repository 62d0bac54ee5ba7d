package dev.parley.cli.trust;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Confirmation;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.trust.TrustEntry;
import dev.parley.filelog.trust.TrustPreview;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Accepts a bus that this user did not create on this machine. */
public final class TrustCommand implements Command {
  private static final Option YES = Option.flag("--yes", "trust it without asking");

  @Override
  public Description description() {
    return new Description(
        "trust",
        Group.EVERYDAY,
        "trust a bus that came from elsewhere",
        "A bus that you did not create on this machine (it came with a clone, a copy or an archive,"
            + " or was created by an earlier version of Parley) can be read but is otherwise"
            + " ignored. This command shows what trusting it would allow, asks, and then trusts it;"
            + " without a terminal it needs --yes. It does not accept mounts: it lists those in the"
            + " log with the commands to mount them. A parley.toml and a .env at the root of the"
            + " repository can start programs and send keys elsewhere: they are shown and trusted"
            + " here too, and again after each change. The list of trusted buses is in"
            + " $PARLEY_STATE, else $XDG_STATE_HOME/parley, else ~/.local/state/parley.",
        List.of(),
        List.of(YES),
        List.of("parley trust", "parley trust --yes", "parley trust --bus /srv/team-bus"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    boolean yes = invocation.arguments().has(YES);
    RepositoryFiles files = RepositoryFiles.of(invocation);
    BusFolder bus = bus(invocation, files);
    TrustEntry known = bus == null ? null : bus.trust();
    if (known != null && files.isEmpty()) {
      answer(invocation.out(), "trusted", known, List.of(), files);
      return ExitCode.OK;
    }
    TrustPreview offer =
        bus == null || known != null
            ? null
            : TrustPreview.of(bus, invocation.shell().environment());
    List<String> mounts =
        offer == null ? List.of() : DescribedMounts.commands(invocation, offerBus(bus));
    if (!invocation.out().isJson()) {
      if (offer != null) {
        show(invocation.out(), offerBus(bus), offer, mounts);
      }
      files.show(invocation.out());
    }
    if (!yes) {
      new Confirmation(
              question(offer != null, !files.isEmpty()),
              "parley trust --yes",
              "To read it: parley tail, parley doctor")
          .ask(invocation);
    }
    files.accept(invocation.shell().environment());
    answer(invocation.out(), "accepted", offer == null ? known : offer.accept(), mounts, files);
    return ExitCode.OK;
  }

  /** The bus; null if only the repository's files can be accepted. */
  private static @Nullable BusFolder bus(Invocation invocation, RepositoryFiles files) {
    try {
      return invocation.busToLookAt();
    } catch (ParleyException e) {
      if (e.code().equals("no-bus") && !files.isEmpty()) {
        return null;
      }
      throw e;
    }
  }

  private static BusFolder offerBus(@Nullable BusFolder bus) {
    return Objects.requireNonNull(bus);
  }

  private static String question(boolean bus, boolean files) {
    if (!files) {
      return "Trust everyone who wrote to this bus?";
    }
    return (bus ? "Trust everyone who wrote to this bus, and let" : "Let")
        + " these files decide which programs run and where keys go?";
  }

  private static void show(Output out, BusFolder bus, TrustPreview offer, List<String> mounts) {
    Table table = new Table();
    table.row("bus", Printable.text(bus.path().toString()));
    StringBuilder settings = new StringBuilder();
    for (Map.Entry<String, Json> one : offer.settings().entrySet()) {
      settings.append(settings.isEmpty() ? "" : ", ").append(one.getKey()).append(' ');
      settings.append(one.getValue());
    }
    table.row(
        "settings",
        settings.isEmpty()
            ? "the defaults"
            : Printable.text(settings.toString()) + " (they will be used)");
    table.row("sessions", thrownAway(offer.sessions(), "secret"));
    table.row("views", thrownAway(offer.views(), "view"));
    table.row("mounts", mounts.isEmpty() ? "none" : mounts.size() + ", not accepted; to mount:");
    mounts.forEach(command -> table.row("", Printable.text(command)));
    table.lines(out.width()).forEach(out::line);
  }

  private static String thrownAway(int count, String what) {
    return count == 0
        ? "none"
        : count + " " + what + (count == 1 ? "" : "s") + ", will be thrown away";
  }

  private static void answer(
      Output out,
      String state,
      @Nullable TrustEntry entry,
      List<String> mounts,
      RepositoryFiles files) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("state", state)
              .put("bus", entry == null ? null : entry.path())
              .put("id", entry == null ? null : entry.id())
              .put("mounts", Json.ofStrings(mounts))
              .put("files", Json.ofStrings(files.paths()))
              .build());
      return;
    }
    if (entry != null && state.equals("trusted")) {
      out.line("Already trusted: " + Printable.text(entry.path()));
    } else if (entry != null) {
      out.line("accepted " + Printable.text(entry.path()) + " (id " + entry.id() + ")");
    }
    files.paths().forEach(path -> out.line("accepted " + Printable.text(path)));
  }
}
