package dev.parley.orchestration.agent;

import java.util.List;

/** What is known of agents that nobody has to describe. */
final class Presets {
  /** Variables that usually hold somebody's key. */
  static final List<String> KEYS =
      List.of(
          "ANTHROPIC_API_KEY",
          "ANTHROPIC_AUTH_TOKEN",
          "CLAUDE_CODE_OAUTH_TOKEN",
          "OPENAI_API_KEY",
          "CODEX_API_KEY",
          "GEMINI_API_KEY",
          "GOOGLE_API_KEY",
          "OPENROUTER_API_KEY",
          "MISTRAL_API_KEY",
          "GROQ_API_KEY",
          "DEEPSEEK_API_KEY",
          "XAI_API_KEY");

  private Presets() {}
}
