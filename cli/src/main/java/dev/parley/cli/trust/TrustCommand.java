package dev.parley.cli.trust;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.Devices;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.TrustEntry;
import dev.parley.filelog.TrustOffer;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Accepts a bus that this user did not make on this machine. */
public final class TrustCommand implements Command {
  private static final Option YES = Option.flag("--yes", "accept it without being asked");

  @Override
  public Description description() {
    return new Description(
        "trust",
        Group.EVERYDAY,
        "accept a bus that came from elsewhere",
        "A bus that you did not make on this machine (it came with a clone, a copy or an archive,"
            + " or an earlier version of Parley made it) can be looked at and does nothing. This"
            + " command shows what it would make Parley obey, asks, and accepts it; without a"
            + " terminal it needs --yes. It accepts no mounts: those that its log describes are"
            + " listed with the commands that mount them. What is trusted is remembered in"
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
    BusFolder bus = invocation.busToLookAt();
    TrustEntry known = bus.trust();
    if (known != null) {
      answer(invocation.out(), "trusted", known, List.of());
      return ExitCode.OK;
    }
    TrustOffer offer = TrustOffer.of(bus, invocation.shell().environment());
    List<String> mounts = DescribedMounts.commands(invocation, bus);
    if (!invocation.out().isJson()) {
      show(invocation.out(), bus, offer, mounts);
    }
    if (!invocation.arguments().has(YES)) {
      ask(invocation);
    }
    answer(invocation.out(), "accepted", offer.accept(), mounts);
    return ExitCode.OK;
  }

  private static void show(Output out, BusFolder bus, TrustOffer offer, List<String> mounts) {
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
            ? "the usual ones"
            : Printable.text(settings.toString()) + " (they will be obeyed)");
    table.row("sessions", thrownAway(offer.sessions(), "secret"));
    table.row("views", thrownAway(offer.views(), "view"));
    table.row("mounts", mounts.isEmpty() ? "none" : mounts.size() + ", not accepted; to mount:");
    mounts.forEach(command -> table.row("", Printable.text(command)));
    table.lines().forEach(out::line);
  }

  private static String thrownAway(int count, String what) {
    return count == 0
        ? "none"
        : count + " " + what + (count == 1 ? "" : "s") + ", will be thrown away";
  }

  private static void ask(Invocation invocation) throws IOException {
    if (!invocation.shell().devices().isTerminal(Devices.STDIN)) {
      throw ParleyException.refused(
          "nobody-to-ask",
          "There is no terminal to ask on, so the bus was not accepted.",
          "If you trust everyone who wrote to it: parley trust --yes");
    }
    invocation.out().flush();
    invocation.notices().line("Trust everyone who wrote to this bus? [y/N]");
    String answer = line(invocation.shell().in()).strip().toLowerCase(Locale.ROOT);
    if (!answer.equals("y") && !answer.equals("yes")) {
      throw ParleyException.refused(
          "not-accepted", "The bus was not accepted.", "parley tail and parley doctor look at it.");
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    while (next >= 0 && next != '\n' && line.length() < 100) {
      line.append((char) next);
      next = in.read();
    }
    return line.toString();
  }

  private static void answer(Output out, String state, TrustEntry entry, List<String> mounts) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("state", state)
              .put("bus", entry.path())
              .put("id", entry.id())
              .put("mounts", Json.ofStrings(mounts))
              .build());
    } else if (state.equals("trusted")) {
      out.line("It is trusted already: " + Printable.text(entry.path()));
    } else {
      out.line("accepted " + Printable.text(entry.path()) + " (id " + entry.id() + ")");
    }
  }
}
