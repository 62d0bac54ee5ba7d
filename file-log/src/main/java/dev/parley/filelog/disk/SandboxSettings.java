package dev.parley.filelog.disk;

import java.nio.file.Path;

/** The setting that lets a sandboxed agent host write to a folder. */
final class SandboxSettings {
  private SandboxSettings() {}

  static String settings(Path folder) {
    return "Codex: [sandbox_workspace_write] writable_roots = [\""
        + folder
        + "\"] in ~/.codex/config.toml. Claude Code: --add-dir \""
        + folder
        + "\", or \"sandbox\": {\"filesystem\": {\"allowWrite\": [\""
        + folder
        + "\"]}} in .claude/settings.json. Gemini CLI: --include-directories \""
        + folder
        + "\".";
  }
}
