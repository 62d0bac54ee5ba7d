package dev.parley.coordination.bulletin;

/** Guesses how much of a model's context a text takes. */
public final class TokenEstimate {
  private static final int ASCII_PER_TOKEN = 4;

  private TokenEstimate() {}

  /** About four characters of English a token; any other character is taken for a whole one. */
  public static int in(String text) {
    int ascii = 0;
    for (int i = 0; i < text.length(); i++) {
      ascii += text.charAt(i) < 0x80 ? 1 : 0;
    }
    return (ascii + ASCII_PER_TOKEN - 1) / ASCII_PER_TOKEN + text.length() - ascii;
  }
}
