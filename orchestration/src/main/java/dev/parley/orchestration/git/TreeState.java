package dev.parley.orchestration.git;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a working tree.
 *
 * @param branch null if the head is detached
 * @param head null before the first commit
 * @param upstream the branch it follows; null if there is none
 * @param changed paths that differ from the head, untracked ones included
 */
public record TreeState(
    @Nullable String branch,
    @Nullable String head,
    @Nullable String upstream,
    int ahead,
    int behind,
    List<String> changed) {

  public boolean isClean() {
    return changed.isEmpty();
  }

  public boolean isDetached() {
    return branch == null;
  }

  public boolean isMain() {
    return "main".equals(branch) || "master".equals(branch);
  }

  public static TreeState of(Git git) {
    String branch = null;
    String head = null;
    String upstream = null;
    int ahead = 0;
    int behind = 0;
    List<String> changed = new ArrayList<>();
    List<String> items =
        git.items(
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "--branch",
            "-z",
            "--untracked-files=all");
    for (int i = 0; i < items.size(); i++) {
      String item = items.get(i);
      String[] words = item.split(" ", -1);
      switch (item.charAt(0)) {
        case '#' -> {
          switch (words[1]) {
            case "branch.oid" -> head = words[2].equals("(initial)") ? null : words[2];
            case "branch.head" -> branch = words[2].equals("(detached)") ? null : words[2];
            case "branch.upstream" -> upstream = words[2];
            case "branch.ab" -> {
              ahead = Integer.parseInt(words[2].substring(1));
              behind = Integer.parseInt(words[3].substring(1));
            }
            default -> {}
          }
        }
        case '1' -> changed.add(path(item, 8));
        case '2' -> {
          changed.add(path(item, 9));
          changed.add(items.get(++i)); // the path before a rename
        }
        case 'u' -> changed.add(path(item, 10));
        case '?' -> changed.add(item.substring(2));
        default -> {}
      }
    }
    return new TreeState(branch, head, upstream, ahead, behind, List.copyOf(changed));
  }

  /** The text after this many words; it may contain spaces. */
  private static String path(String item, int words) {
    int at = 0;
    for (int i = 0; i < words; i++) {
      at = item.indexOf(' ', at) + 1;
    }
    return item.substring(at);
  }
}
