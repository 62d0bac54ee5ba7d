package dev.parley.cli.hook;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How Claude Code runs. The hook that wakes it runs in the background if a person uses Claude Code,
 * or if a program keeps its input open. With {@code -p "prompt"} alone, Claude Code would wait for
 * the hook before it begins.
 */
final class ClaudeMode {
  private ClaudeMode() {}

  static boolean canBeWoken(Map<String, String> environment) {
    if (environment.getOrDefault("CLAUDE_CODE_ENTRYPOINT", "cli").equals("cli")) {
      return true;
    }
    String process = environment.getOrDefault("CLAUDE_PID", "");
    return process.matches("[0-9]{1,10}") && keepsInputOpen(Path.of("/proc", process, "cmdline"));
  }

  static boolean keepsInputOpen(Path commandLine) {
    try {
      String text = Files.readString(commandLine, StandardCharsets.ISO_8859_1);
      List<String> words = List.of(text.split("\0", -1));
      int option = words.indexOf("--input-format");
      return words.contains("--input-format=stream-json")
          || (option >= 0
              && option + 1 < words.size()
              && words.get(option + 1).equals("stream-json"));
    } catch (IOException e) {
      return false;
    }
  }
}
