package dev.parley.cli.keys;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Confirmation;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.core.AgentName;
import dev.parley.core.Damage;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.keys.KeyRing;
import dev.parley.core.keys.PublicKey;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.keys.OwnerKeyDecisions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows and decides which keys sign on a bus. */
public final class KeysCommand implements Command {
  public static final String NAME = "keys";

  private static final Parameter AGENT = Parameter.required("agent", "whose key");
  private static final Option YES = Option.flag("--yes", "do it without being asked");

  @Override
  public Description description() {
    return Description.family(
        NAME,
        Group.CONNECT,
        "sign lines, and verify who wrote them",
        "A bus can require signatures. Then every line carries its sender's Ed25519 signature, and"
            + " a line that was forged, changed or copied is reported and decides nothing. Each"
            + " agent gets a key at its first line; the name stays bound to it until a person"
            + " changes it. Private keys are in the state folder, readable by you alone: signatures"
            + " keep out whoever can write to the bus folder, but not another program of yours.",
        "list",
        List.of(
            Description.sub("list", "show whose keys are bound", List.of(), List.of()),
            Description.sub("require", "require signatures from now on", List.of(), List.of(YES)),
            Description.sub("lift", "require no signatures any more", List.of(), List.of(YES)),
            Description.sub("change", "bind a new key to an agent", List.of(AGENT), List.of(YES)),
            Description.sub("verify", "look for lines that do not count", List.of(), List.of())),
        List.of("parley keys", "parley keys require", "parley keys verify"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    BusFolder bus = invocation.bus();
    try (FileLog log = bus.openLog()) {
      OwnerKeyDecisions keys = new OwnerKeyDecisions(bus, log);
      return switch (invocation.arguments().subcommand()) {
        case "require" -> require(invocation, keys);
        case "lift" -> lift(invocation, keys);
        case "change" -> change(invocation, keys);
        case "verify" -> verify(invocation.out(), keys);
        default -> list(invocation.out(), keys);
      };
    }
  }

  private static int require(Invocation invocation, OwnerKeyDecisions keys) throws IOException {
    confirm(
        invocation,
        "From now on every line on this bus must be signed; other programs that append lines by"
            + " themselves will not be heard. Require signatures?",
        "parley keys require --yes");
    boolean isNew = keys.require();
    answer(
        invocation.out(),
        "required",
        isNew
            ? "Signatures are required from now on. Each agent gets a key at its next line."
            : "Signatures are required already.");
    return ExitCode.OK;
  }

  private static int lift(Invocation invocation, OwnerKeyDecisions keys) throws IOException {
    confirm(
        invocation,
        "Lines of anybody who can write to the bus folder will count again. Require no signatures"
            + " any more?",
        "parley keys lift --yes");
    keys.lift();
    answer(invocation.out(), "lifted", "Signatures are not required any more.");
    return ExitCode.OK;
  }

  private static int change(Invocation invocation, OwnerKeyDecisions keys) throws IOException {
    String agent = new AgentName(invocation.arguments().required(AGENT)).name();
    confirm(
        invocation,
        "What " + agent + " signs with the present key will not count any more. Bind a new key?",
        "parley keys change " + agent + " --yes");
    PublicKey key = keys.change(agent);
    Output out = invocation.out();
    if (out.isJson()) {
      out.line(
          Json.object().put("state", "changed").put("agent", agent).put("key", key.text()).build());
    } else {
      out.line(agent + " has a new key: " + key.text());
    }
    return ExitCode.OK;
  }

  /** Only a person decides about keys; an agent is refused. */
  private static void confirm(Invocation invocation, String question, String command)
      throws IOException {
    Arguments arguments = invocation.arguments();
    String agent = invocation.agent();
    if (agent != null && !agent.equals(KeyRing.OWNER)) {
      throw ParleyException.refused(
          "not-a-person",
          "Only a person decides about keys, and you speak for " + agent + ".",
          "Let a person run it in a terminal of their own: " + command);
    }
    if (!arguments.has(YES)) {
      new Confirmation(question, command, "parley keys shows what is bound.").ask(invocation);
    }
  }

  private static void answer(Output out, String state, String sentence) {
    out.line(out.isJson() ? Json.object().put("state", state).build().toString() : sentence);
  }

  private static int list(Output out, OwnerKeyDecisions keys) {
    @Nullable KeyRing ring = keys.ring();
    boolean isRequired = ring != null && ring.isRequired();
    Set<String> here = keys.here();
    Table table = new Table();
    table.row("AGENT", "KEY", "PRIVATE KEY");
    List<Json> bound = new ArrayList<>();
    if (ring != null) {
      for (String agent : ring.agents()) {
        String key = String.valueOf(ring.key(agent));
        table.row(agent, key, here.contains(agent) ? "here" : "elsewhere");
        bound.add(
            Json.object()
                .put("agent", agent)
                .put("key", key)
                .put("here", here.contains(agent))
                .build());
      }
    }
    if (out.isJson()) {
      out.line(Json.object().put("required", isRequired).put("keys", Json.of(bound)).build());
    } else if (ring == null) {
      out.line("This bus requires no signatures. Require them: parley keys require");
    } else {
      out.line("Signatures are " + (isRequired ? "required." : "announced, but not required yet."));
      table.print(out);
    }
    return ExitCode.OK;
  }

  private static int verify(Output out, OwnerKeyDecisions keys) {
    if (keys.ring() == null) {
      return list(out, keys);
    }
    List<Damage> found = keys.verify();
    for (Damage damage : found) {
      String place = damage.topic() + "@" + damage.offset().value();
      if (out.isJson()) {
        out.line(
            Json.object()
                .put("topic", damage.topic().name())
                .put("offset", damage.offset().value())
                .put("length", damage.length())
                .put("reason", damage.reason())
                .build());
      } else {
        out.line(place + " (" + damage.length() + " bytes)  " + Printable.text(damage.reason()));
      }
    }
    if (!out.isJson()) {
      out.line(
          found.isEmpty()
              ? "Every line that must be signed is."
              : found.size() + (found.size() == 1 ? " line does" : " lines do") + " not count.");
    }
    return found.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }
}
