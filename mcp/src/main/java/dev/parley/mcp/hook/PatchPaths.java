package dev.parley.mcp.hook;

import java.util.ArrayList;
import java.util.List;

/** The files that a patch in the format of Codex changes. */
final class PatchPaths {
  private static final List<String> HEADERS =
      List.of("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ");

  private PatchPaths() {}

  /** Those that a patch names, or a shell command that holds one. */
  static List<String> in(String text) {
    List<String> paths = new ArrayList<>();
    for (String line : text.split("\\R", -1)) {
      for (String header : HEADERS) {
        if (line.startsWith(header) && line.length() > header.length()) {
          paths.add(line.substring(header.length()).strip());
        }
      }
    }
    return paths;
  }
}
