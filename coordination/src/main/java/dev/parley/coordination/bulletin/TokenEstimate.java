package dev.parley.coordination.bulletin;

/** Estimates how many tokens of a model's context a text takes. */
public final class TokenEstimate {
  private static final int ASCII_PER_TOKEN = 4;

  private TokenEstimate() {}

  /** About four ASCII characters a token; every other character counts as a token. */
  public static int in(String text) {
    int ascii = 0;
    for (int i = 0; i < text.length(); i++) {
      ascii += text.charAt(i) < 0x80 ? 1 : 0;
    }
    return (ascii + ASCII_PER_TOKEN - 1) / ASCII_PER_TOKEN + text.length() - ascii;
  }
}
