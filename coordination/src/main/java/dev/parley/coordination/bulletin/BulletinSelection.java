package dev.parley.coordination.bulletin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * The notices of a bulletin that a worker is given to read: all warnings, then the latest of the
 * others up to {@code cap}; of those as many as the budget allows, warnings first.
 *
 * @param shown in the order in which they were posted
 * @param leftOut how many notices are left out
 * @param warningsLeftOut how many of those are warnings: only the budget leaves out warnings
 */
public record BulletinSelection(List<Notice> shown, int leftOut, int warningsLeftOut) {
  /** How many notices are shown by default. */
  public static final int CAP = 20;

  /** How many tokens they may take by default. */
  public static final int BUDGET = 4_000;

  /**
   * Selects from notices.
   *
   * @param notices in the order of their last post
   * @param cost the tokens that one notice takes
   */
  public static BulletinSelection of(
      List<Notice> notices, int cap, int budget, ToIntFunction<Notice> cost) {
    List<Notice> wanted = new ArrayList<>();
    for (Notice notice : notices.reversed()) {
      if (isWarning(notice)) {
        wanted.add(notice);
      }
    }
    for (Notice notice : notices.reversed()) {
      if (!isWarning(notice) && wanted.size() < cap) {
        wanted.add(notice);
      }
    }
    Set<Notice> taken = new HashSet<>();
    int left = budget;
    for (Notice notice : wanted) {
      int tokens = cost.applyAsInt(notice);
      if (tokens <= left) {
        left -= tokens;
        taken.add(notice);
      }
    }
    List<Notice> shown = notices.stream().filter(taken::contains).toList();
    return new BulletinSelection(
        shown, notices.size() - shown.size(), (int) (warnings(notices) - warnings(shown)));
  }

  private static boolean isWarning(Notice notice) {
    return notice.kind() == Notice.Kind.WARNING;
  }

  private static long warnings(Collection<Notice> notices) {
    return notices.stream().filter(BulletinSelection::isWarning).count();
  }
}
