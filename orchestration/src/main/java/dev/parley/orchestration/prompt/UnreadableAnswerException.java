package dev.parley.orchestration.prompt;

/** An answer lacks what was asked for; the message says what. */
public final class UnreadableAnswerException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnreadableAnswerException(String message) {
    super(message);
  }

  public String reason() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
