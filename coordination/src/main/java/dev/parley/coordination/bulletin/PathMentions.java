package dev.parley.coordination.bulletin;

import dev.parley.coordination.path.PathPattern;
import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the paths in a text: intents are often written as sentences. */
final class PathMentions {
  /** The most paths of one notice. */
  static final int MOST_PATHS = 16;

  private static final Pattern FILE_NAME =
      Pattern.compile("[\\w*-]+(\\.[\\w*-]+)*\\.[A-Za-z]\\w{0,7}");
  private static final String AROUND = "`'\"()<>,;:!?";

  private PathMentions() {}

  /** The words that contain a slash or look like a file name. */
  static List<PathPattern> in(String text) {
    List<PathPattern> paths = new ArrayList<>();
    for (String word : text.split("\\s+", -1)) {
      String bare = bare(word);
      boolean meant = bare.indexOf('/') > 0 || FILE_NAME.matcher(bare).matches();
      PathPattern path = meant && !bare.contains("://") ? find(bare) : null;
      if (path != null && !paths.contains(path) && paths.size() < MOST_PATHS) {
        paths.add(path);
      }
    }
    return paths;
  }

  /** The texts that are path patterns. */
  static List<PathPattern> of(List<String> texts) {
    List<PathPattern> paths = new ArrayList<>();
    for (String text : texts) {
      PathPattern path = find(text);
      if (path != null && paths.size() < MOST_PATHS) {
        paths.add(path);
      }
    }
    return paths;
  }

  private static @Nullable PathPattern find(String text) {
    try {
      return PathPattern.of(text);
    } catch (ParleyException e) {
      return null;
    }
  }

  private static String bare(String word) {
    int from = 0;
    int to = word.length();
    while (from < to && AROUND.indexOf(word.charAt(from)) >= 0) {
      from++;
    }
    while (to > from && (AROUND + ".").indexOf(word.charAt(to - 1)) >= 0) {
      to--;
    }
    return word.substring(from, to);
  }
}
