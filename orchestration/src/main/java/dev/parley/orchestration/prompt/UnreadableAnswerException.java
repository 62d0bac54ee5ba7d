package dev.parley.orchestration.prompt;

/** An answer does not say what was asked for; the message says what is missing. */
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
