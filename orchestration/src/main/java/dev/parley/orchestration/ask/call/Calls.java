package dev.parley.orchestration.ask.call;

import dev.parley.orchestration.agent.Way;
import dev.parley.orchestration.ask.Answer;

/** Executes an ask in the agent's way. */
public final class Calls {
  private Calls() {}

  public static Answer make(PreparedAsk call) throws InterruptedException {
    return switch (call.agent().way()) {
      case Way.Command command -> CommandCall.make(call, command);
      case Way.Api api -> ApiCall.make(call, api);
    };
  }
}
