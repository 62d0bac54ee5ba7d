package dev.parley.cli.mcp;

import dev.parley.Parley;
import dev.parley.WorkingTree;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.help.Version;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Stop;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.mcp.hook.HookRoute;
import dev.parley.mcp.hook.HookRules;
import dev.parley.mcp.hook.HookTool;
import dev.parley.mcp.http.Access;
import dev.parley.mcp.http.AgentLimits;
import dev.parley.mcp.http.HostCheck;
import dev.parley.mcp.http.LocalServer;
import dev.parley.mcp.http.McpEndpoint;
import dev.parley.mcp.http.Route;
import dev.parley.mcp.protocol.Engine;
import dev.parley.mcp.tools.AgentContext;
import dev.parley.mcp.tools.AgentOffer;
import dev.parley.mcp.tools.AgentSource;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Serves many agents over HTTP, each identified by its token. */
public final class ServeCommand implements Command {
  private static final int DEFAULT_PORT = 7345;

  private static final Parameter AGENT = Parameter.required("agent", "whom the token speaks for");
  private static final Option PORT =
      Option.value("--port", "n", "where it listens (" + DEFAULT_PORT + "; 0 takes a free one)");
  private static final Option LISTEN =
      Option.value("--listen", "address", "listen there, and not on loopback alone");
  private static final Option ALLOW_HOST =
      Option.value("--allow-host", "name", "another name by which requests may come").repeated();
  private static final Option RATE =
      Option.value("--rate", "n", limit("requests a second", AgentLimits.DEFAULT.perSecond()));
  private static final Option MOST_OPEN =
      Option.value("--max-open", "n", limit("unanswered requests", AgentLimits.DEFAULT.open()));
  private static final Option MOST_BYTES =
      Option.value("--max-bytes", "n", limit("bytes in a request", AgentLimits.DEFAULT.bytes()));
  private static final Option MOST_CLIENTS =
      Option.value("--max-clients", "n", limit("connected clients", AgentLimits.DEFAULT.clients()));

  private static String limit(String what, int number) {
    return "the most " + what + " of an agent (" + number + ")";
  }

  @Override
  public Description description() {
    return Description.family(
        "serve",
        Group.CONNECT,
        "serve agents over HTTP on this machine",
        "An MCP server (streamable HTTP) at /mcp for any number of agents, and hooks at"
            + " /hook/<host>. It listens on loopback only, unless --listen says otherwise. It"
            + " refuses requests for other host names, which web pages could make. Every route needs"
            + " a token, which says who the sender is. The secret behind the tokens is in your state"
            + " folder, readable by you alone. Give a token only to the host of its agent, in its"
            + " environment: everybody on the machine can see command lines.",
        "start",
        List.of(
            Description.sub(
                "start",
                "serve until it is stopped",
                List.of(),
                List.of(PORT, LISTEN, ALLOW_HOST, RATE, MOST_OPEN, MOST_BYTES, MOST_CLIENTS)),
            Description.sub(
                "token", "print an agent's token; it is a secret", List.of(AGENT), List.of())),
        List.of(
            "parley serve --port 7345", "PARLEY_TOKEN_ALICE=$(parley serve token alice) codex"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Access access = new Access(ServerSecret.of(invocation));
    return "token".equals(invocation.arguments().subcommand())
        ? token(invocation, access)
        : start(invocation, access);
  }

  private static int token(Invocation invocation, Access access) {
    String agent = new AgentName(invocation.arguments().required(AGENT)).name();
    String token = access.token(agent);
    Output out = invocation.out();
    if (out.isJson()) {
      out.line(Json.object().put("agent", agent).put("token", token).build());
    } else {
      out.line(token);
    }
    return ExitCode.OK;
  }

  private static int number(
      Invocation invocation, Option option, int least, int most, int otherwise) {
    String text = invocation.arguments().value(option);
    return text == null ? otherwise : IntOption.number(option.name(), text, least, most);
  }

  private static int start(Invocation invocation, Access access)
      throws IOException, InterruptedException {
    int port = number(invocation, PORT, 0, 65_535, DEFAULT_PORT);
    InetAddress address = address(invocation);
    List<String> names = new ArrayList<>(invocation.arguments().values(ALLOW_HOST));
    names.add(inUrl(address));
    if (!address.isLoopbackAddress()) {
      invocation
          .notices()
          .say(
              "Tokens and mail go over the network unencrypted: listen at "
                  + address.getHostAddress()
                  + " only where you trust everybody on it.");
    }
    LocalServer.Settings settings =
        new LocalServer.Settings(
            new InetSocketAddress(address, port), new HostCheck(names), access, limits(invocation));
    CountDownLatch stopped = new CountDownLatch(1);
    try (LocalServer server = listen(settings, new Agents(invocation));
        Stop _ = Stop.onSignal(stopped::countDown, ExitCode.OK)) {
      String url = "http://" + inUrl(address) + ":" + server.port();
      if (invocation.out().isJson()) {
        invocation.out().line(Json.object().put("mcp", url + "/mcp").build());
      } else {
        invocation.out().line("MCP server at " + url + "/mcp");
        invocation.out().line("A token: parley serve token <agent>");
      }
      invocation.out().flush();
      stopped.await();
    }
    return ExitCode.OK;
  }

  private static AgentLimits limits(Invocation invocation) {
    AgentLimits usual = AgentLimits.DEFAULT;
    return new AgentLimits(
        number(invocation, RATE, 1, 1_000_000, usual.perSecond()),
        number(invocation, MOST_OPEN, 1, 100_000, usual.open()),
        number(invocation, MOST_BYTES, 1_000, 64 << 20, usual.bytes()),
        number(invocation, MOST_CLIENTS, 1, 100_000, usual.clients()));
  }

  private static InetAddress address(Invocation invocation) {
    String text = invocation.arguments().value(LISTEN);
    try {
      return text == null ? InetAddress.getLoopbackAddress() : InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      throw ParleyException.invalid(
          "bad-address",
          text + " is not an IP address.",
          "Write --listen 0.0.0.0 for every network, or one address of this machine.");
    }
  }

  private static String inUrl(InetAddress address) {
    String text = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
    return address instanceof Inet6Address && !address.isAnyLocalAddress()
        ? "[" + text + "]"
        : text;
  }

  /** Makes a route's handler. */
  private interface RouteMaker {
    Route make(Agents agents, AgentLimits limits);
  }

  private static final Map<String, RouteMaker> ROUTES =
      Map.of(
          "/mcp",
          (agents, limits) -> new McpEndpoint(name -> agents.of(name).engine(), limits),
          "/hook",
          (agents, _) -> new HookRoute(name -> agents.of(name).rules()));

  /** The paths that are served. Each route also gets the paths below its own. */
  public static Set<String> paths() {
    return ROUTES.keySet();
  }

  private static LocalServer listen(LocalServer.Settings settings, Agents agents) {
    Map<String, Route> routes = new HashMap<>();
    ROUTES.forEach((path, maker) -> routes.put(path, maker.make(agents, settings.limits())));
    try {
      return LocalServer.start(settings, routes);
    } catch (IOException e) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "cannot-listen",
          "Port " + settings.address().getPort() + " can't be had: " + e.getMessage() + ".",
          "Perhaps a server runs already (another port: --port 0), or --listen names an address that"
              + " is not this machine's.",
          e);
    }
  }

  private record Served(Engine engine, HookRules rules) {}

  /** The agents that have sent a request. An agent joins with its first request. */
  private static final class Agents {
    private final Invocation invocation;
    private final Parley parley;
    private final Path bus;
    private final Sessions sessions;
    private final Map<String, Served> served = new ConcurrentHashMap<>();

    Agents(Invocation invocation) {
      this.invocation = invocation;
      this.parley = invocation.openedBus().parley();
      this.bus = invocation.bus().path();
      this.sessions = parley.team().sessions();
    }

    Served of(String name) {
      return served.computeIfAbsent(name, this::serve);
    }

    private Served serve(String name) {
      AgentSource source =
          new AgentSource(() ->
              HostAgent.byCredential(parley, sessions, bus, name, invocation.shell().folder()));
      WorkingTree tree = WorkingTree.of(invocation.shell().folder(), bus);
      AgentContext context = new AgentContext(parley, source, tree, bus);
      HookRules rules = new HookRules(context, new HostSubAgents(context, sessions));
      return new Served(
          new Engine(
              new AgentOffer(context, Version.number(), List.of(new HookTool(rules).tool()))),
          rules);
    }
  }
}
