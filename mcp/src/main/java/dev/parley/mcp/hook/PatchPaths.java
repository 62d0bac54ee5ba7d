package dev.parley.mcp.hook;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files that a patch in Codex's format changes. */
final class PatchPaths {
  private static final List<String> HEADERS =
      List.of("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ");

  private static final Pattern CHANGE_FOLDER =
      Pattern.compile("\\s*cd\\s+('[^']+'|\"[^\"]+\"|[^\\s'\";&|]+)\\s*(?:&&|;|\\n)");

  private PatchPaths() {}

  /** Those that a patch names. */
  static List<String> in(String patch) {
    List<String> paths = new ArrayList<>();
    for (String line : patch.split("\\R", -1)) {
      String clean = line.strip(); // Codex reads indented headers too
      for (String header : HEADERS) {
        if (clean.startsWith(header) && clean.length() > header.length()) {
          paths.add(clean.substring(header.length()).strip());
        }
      }
    }
    return paths;
  }

  /** Those that a patch names which a shell command applies, perhaps in another folder. */
  static List<String> inCommand(String command) {
    if (!command.contains("apply_patch")) {
      return List.of();
    }
    Matcher change = CHANGE_FOLDER.matcher(command);
    if (!change.lookingAt()) {
      return in(command);
    }
    String folder = change.group(1).replaceAll("^[\"']|[\"']$", "");
    return in(command).stream()
        .map(path -> path.startsWith("/") ? path : folder + "/" + path)
        .toList();
  }
}
