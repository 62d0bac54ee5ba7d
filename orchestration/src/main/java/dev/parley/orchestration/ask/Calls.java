package dev.parley.orchestration.ask;

import dev.parley.orchestration.agent.Way;

/** Carries out an ask in the agent's way. */
final class Calls {
  private Calls() {}

  static Answer make(Call call) throws InterruptedException {
    return switch (call.agent().way()) {
      case Way.Command command -> CommandCall.make(call, command);
      case Way.Api api -> ApiCall.make(call, api);
    };
  }
}
