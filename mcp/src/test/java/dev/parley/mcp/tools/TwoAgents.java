package dev.parley.mcp.tools;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.WorkingTree;
import dev.parley.mcp.hook.HookRules;
import dev.parley.mcp.hook.HookTool;
import dev.parley.mcp.hook.JoinedSubAgents;
import dev.parley.mcp.protocol.Engine;
import java.nio.file.Path;
import java.util.List;

/** Alice and Bob on one bus, each with a client. */
final class TwoAgents implements AutoCloseable {
  final Parley parley;
  final Agent alice;
  final Agent bob;
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
    aliceClient = client(new AgentContext(parley, first, tree, bus));
    bobClient = client(new AgentContext(parley, second, tree, bus));
  }

  private static Client client(AgentContext context) {
    return new Client(
        new Engine(
            new AgentOffer(
                context,
                "1",
                List.of(
                    new HookTool(new HookRules(context, new JoinedSubAgents(context))).tool()))));
  }

  @Override
  public void close() {
    parley.close();
  }
}
