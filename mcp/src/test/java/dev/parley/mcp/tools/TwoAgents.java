package dev.parley.mcp.tools;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.WorkingTree;
import dev.parley.core.json.Json;
import dev.parley.mcp.hook.HookRules;
import dev.parley.mcp.hook.HookTool;
import dev.parley.mcp.hook.JoinedSubAgents;
import dev.parley.mcp.protocol.ClientOutput;
import dev.parley.mcp.protocol.Engine;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Alice and Bob on one bus, each with a client. */
final class TwoAgents implements AutoCloseable {
  final Parley parley;
  final Agent alice;
  final Agent bob;
  private final AgentContext aliceContext;
  final Client aliceClient;
  final Client bobClient;

  TwoAgents(Path folder) {
    parley = Parley.create(folder.resolve(".parley"));
    Path bus = folder.resolve(".parley");
    WorkingTree tree = WorkingTree.of(folder, bus);
    AgentSource first = new AgentSource(() -> parley.join("alice"));
    AgentSource second = new AgentSource(() -> parley.join("bob"));
    alice = first.agent();
    bob = second.agent();
    aliceContext = new AgentContext(parley, first, tree, bus);
    aliceClient = client(aliceContext, ClientOutput.NONE);
    bobClient = client(new AgentContext(parley, second, tree, bus), ClientOutput.NONE);
  }

  /** Another client of Alice, that takes messages which belong to no request. */
  Client aliceListening(Consumer<Json> taker) {
    return client(
        aliceContext,
        message -> {
          taker.accept(message);
          return true;
        });
  }

  private static Client client(AgentContext context, ClientOutput outlet) {
    return new Client(
        new Engine(
            new AgentOffer(
                context,
                "1",
                List.of(
                    new HookTool(new HookRules(context, new JoinedSubAgents(context))).tool()))),
        outlet);
  }

  @Override
  public void close() {
    parley.close();
  }
}
