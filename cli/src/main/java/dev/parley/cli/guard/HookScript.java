package dev.parley.cli.guard;

import dev.parley.cli.terminal.ExitCode;
import java.nio.file.Path;

/**
 * The script that git runs as a hook: first the hook that was there before, then this program.
 *
 * <p>Only an answer of this program refuses a commit. If it fails in any other way, for instance
 * because the JVM does not start, the commit passes with a warning, unless the script is strict.
 */
final class HookScript {
  /** What the name of a hook that was there before ends with. */
  static final String KEPT = ".before-parley";

  private static final String MARK = "# Made by parley guard install.";
  private static final String STRICT = " --strict";

  /** Some hooks find out by their own name what to do; only a shell can run one by another name. */
  private static final String RUN_BEFORE =
      """
        case $(head -n 1 "$before") in
        "#!/bin/sh" | "#!/usr/bin/env sh")
          run() { sh -c 'before=$1; shift; . "$before"' "$0" "$before" "$@"; } ;;
        *) run() { "$before" "$@"; } ;;
        esac
      """;

  private HookScript() {}

  /** Whether a hook's text is a script of ours, of any version. */
  static boolean isOurs(String text) {
    return text.contains(MARK);
  }

  /** Whether a script of ours refuses a commit also when the check fails. */
  static boolean isStrict(String text) {
    return text.contains(" guard ") && text.contains(STRICT);
  }

  /** The script for a hook. */
  static String of(String hook, boolean strict) {
    boolean checks = !hook.equals("prepare-commit-msg");
    boolean readsInput = hook.equals("pre-push");
    String input = readsInput ? "printf '%s\\n' \"$input\" | " : "";
    String program = quoted(program());
    return "#!/bin/sh\n"
        + MARK
        + " parley guard install --undo takes it away.\n"
        + "before=\"$0"
        + KEPT
        + "\"\n"
        + (readsInput ? "input=$(cat)\n" : "")
        + "if [ -x \"$before\" ]; then\n"
        + RUN_BEFORE
        + "  "
        + input
        + "run \"$@\" || exit\nfi\n"
        + (checks
            ? checked(input + program + " guard " + hook + (strict ? STRICT : ""), program, strict)
            : ifThere(program) + " && " + program + " guard " + hook + " -- \"$@\" || :\n");
  }

  private static String checked(String call, String program, boolean strict) {
    return "if "
        + ifThere(program)
        + "; then\n  "
        + call
        + " -- \"$@\"\n"
        + "  case $? in\n"
        + ("  " + ExitCode.OK + ") exit 0 ;;\n")
        + ("  " + ExitCode.REFUSED + ") exit 1 ;;\n")
        + "  esac\n"
        + "  why='parley failed'\n"
        + "else\n"
        + "  why='parley is gone'\n"
        + "fi\n"
        + (strict
            ? "echo \"$why; its guard is strict, so nothing passes unchecked."
                + " Repair it, or take it away: parley guard install --undo\" >&2\nexit 1\n"
            : "echo \"$why; the guard checked nothing\" >&2\nexit 0\n");
  }

  private static String ifThere(String program) {
    return "command -v " + program + " >/dev/null";
  }

  /** The path of this program, by which the hook finds it from anywhere. */
  private static String program() {
    String home = System.getProperty("parley.home");
    return home == null ? "parley" : Path.of(home, "parley").toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
