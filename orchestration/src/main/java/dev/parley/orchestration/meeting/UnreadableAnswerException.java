package dev.parley.orchestration.meeting;

/** An answer does not say what was asked for; the message says what is missing. */
final class UnreadableAnswerException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableAnswerException(String message) {
    super(message);
  }

  String reason() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
