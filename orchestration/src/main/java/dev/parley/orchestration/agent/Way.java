package dev.parley.orchestration.agent;

import java.net.URI;
import java.util.List;

/** How an agent is asked. */
public sealed interface Way {
  /** How a program gets the prompt. */
  enum Input {
    STDIN,
    /** In place of {@code {prompt}} among the arguments, or as the last one. */
    ARGUMENT,
    /** The path of a file with it, in place of {@code {file}} or as the last argument. */
    FILE
  }

  /** What a program prints. */
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
    /** Chat completions, which many others speak too. */
    OPENAI,
    GEMINI
  }

  /**
   * A program that is started for each ask.
   *
   * @param words the program and its arguments; no shell looks at them
   */
  record Command(List<String> words, Input input, Output output) implements Way {
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
   * @param maxTokens how long an answer may become
   */
  record Api(Provider provider, String model, URI base, int maxTokens) implements Way {}
}
