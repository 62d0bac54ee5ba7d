package dev.parley.orchestration.moderate.answer;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Answer;
import dev.parley.text.Explanation;

/**
 * Why an agent can't continue; it becomes an {@code agent_error}.
 *
 * @param type such as {@code no_response}
 * @param trace the stack trace; empty without an exception
 * @param recoverable whether a retry may help without anybody changing anything
 */
public record AgentFailure(
    String type, String message, String trace, boolean recoverable, Json context) {
  public static final String NO_RESPONSE = "no_response";
  public static final String BACKEND = "backend_failure";
  public static final String UNREADABLE = "unreadable_answer";
  public static final String EXECUTION = "task_execution_failed";
  public static final String HANDLING = "message_handling_error";
  private static final int LONGEST = 2_000;
  private static final int MOST_FRAMES = 20;

  public AgentFailure {
    message = message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…";
  }

  public static AgentFailure of(String type, String message, boolean recoverable, Json context) {
    return new AgentFailure(type, message, "", recoverable, context);
  }

  /** The trouble of an ask without a usable answer. */
  public static AgentFailure of(Answer answer, String stage, String reason) {
    Json context =
        Json.object()
            .put("agent", answer.agent())
            .put("stage", stage)
            .put("exit_code", answer.exitCode())
            .put("seconds", answer.duration().toSeconds())
            .put("attempts", answer.attempts())
            .build();
    String type =
        switch (answer.status()) {
          case TIMED_OUT -> NO_RESPONSE;
          case ANSWERED -> UNREADABLE;
          case EMPTY, FAILED, STOPPED -> BACKEND;
        };
    return of(type, reason, answer.status() != Answer.Status.EMPTY, context);
  }

  /** The trouble of an exception during a message. */
  public static AgentFailure of(ParleyException thrown, String messageId) {
    StringBuilder trace = new StringBuilder();
    StackTraceElement[] frames = thrown.getStackTrace();
    for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
      trace.append(frames[i]).append('\n');
    }
    Json context =
        Json.object().put("code", thrown.code()).put("original_message_id", messageId).build();
    String message = Explanation.of(thrown).message();
    return new AgentFailure(HANDLING, message, trace.toString().strip(), true, context);
  }
}
