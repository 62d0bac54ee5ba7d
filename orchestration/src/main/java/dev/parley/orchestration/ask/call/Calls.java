package dev.parley.orchestration.ask.call;

import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.ask.Answer;

/** Executes an ask in the agent's way. */
public final class Calls {
  private Calls() {}

  public static Answer make(PreparedAsk call) throws InterruptedException {
    return switch (call.agent().way()) {
      case CallMethod.Command command -> CommandCall.make(call, command);
      case CallMethod.Api api -> ApiCall.make(call, api);
    };
  }
}
