package dev.parley.orchestration.agent;

import java.net.URI;
import java.util.List;

/** How to ask an agent. */
public sealed interface CallMethod {
  /** How a program gets the prompt. */
  enum Input {
    STDIN,
    /** In place of {@code {prompt}} among the arguments, or as the last argument. */
    ARGUMENT,
    /** In a file, whose path replaces {@code {file}} or is the last argument. */
    FILE
  }

  /** The format of a program's output. */
  enum Output {
    TEXT,
    /** The JSON of {@code claude -p --output-format json}. */
    CLAUDE,
    /** The events of {@code codex exec --json}. */
    CODEX,
    /** The JSON of {@code gemini --output-format json}. */
    GEMINI
  }

  /** The protocol of a model API. */
  enum Provider {
    ANTHROPIC,
    /** Chat completions, an API that many others offer too. */
    OPENAI,
    GEMINI
  }

  /**
   * A program that is started for each ask.
   *
   * @param words the program and its arguments; no shell expands them
   */
  record Command(List<String> words, Input input, Output output) implements CallMethod {
    public Command {
      words = List.copyOf(words);
    }

    public static Command of(String... words) {
      return new Command(List.of(words), Input.STDIN, Output.TEXT);
    }
  }

  /**
   * A model behind an API.
   *
   * @param base the address, without the path of the call
   * @param maxTokens the limit of an answer; 0 leaves it to the server
   */
  record Api(Provider provider, String model, URI base, int maxTokens) implements CallMethod {}
}
