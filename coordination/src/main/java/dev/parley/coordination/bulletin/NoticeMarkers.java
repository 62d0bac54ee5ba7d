package dev.parley.coordination.bulletin;

import dev.parley.coordination.text.UnicodeLetters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds the notices that are marked in a text: {@code <!-- BUS:discovery -->The API has pages<!--
 * /BUS -->}.
 *
 * @param found the notices, in their order
 * @param malformed what looks like a marker but can't be understood
 */
public record NoticeMarkers(List<Found> found, List<Malformed> malformed) {
  private static final String BEGIN = "<!--";
  private static final String END = "-->";
  private static final String BUS = "bus";

  /** A notice, and the line on which it begins, counted from 1. */
  public record Found(Notice.Kind kind, String text, int line) {}

  /** A marker that can't be understood, and why. */
  public record Malformed(int line, String reason) {}

  public static NoticeMarkers in(String text) {
    return new Search(text).run();
  }

  /** One pass over a text. */
  private static final class Search {
    private final String text;
    private final List<Found> found = new ArrayList<>();
    private final List<Malformed> malformed = new ArrayList<>();
    private int line = 1;
    private int counted;

    /** The marker that is open: its kind, where its content begins, and its line. */
    private Notice.@Nullable Kind open;

    private int content;
    private int openLine;

    /** Whether the next closing marker belongs to an opening marker that was reported. */
    private boolean reported;

    Search(String text) {
      this.text = text;
    }

    NoticeMarkers run() {
      int at = text.indexOf(BEGIN);
      while (at >= 0) {
        int end = text.indexOf(END, at + BEGIN.length());
        int nextBegin = text.indexOf(BEGIN, at + BEGIN.length());
        boolean ends = end >= 0 && (nextBegin < 0 || end < nextBegin);
        int inside = ends ? end : nextBegin < 0 ? text.length() : nextBegin;
        String comment = text.substring(at + BEGIN.length(), inside).strip();
        if (isMarker(comment)) {
          marker(comment.toLowerCase(Locale.ROOT), at, ends ? end + END.length() : -1);
        }
        at = nextBegin;
      }
      if (open != null) {
        report(openLine, "BUS:" + open.word() + " is never closed");
      }
      return new NoticeMarkers(List.copyOf(found), List.copyOf(malformed));
    }

    private static boolean isMarker(String comment) {
      String word = comment.startsWith("/") ? comment.substring(1).strip() : comment;
      return word.regionMatches(true, 0, BUS, 0, BUS.length())
          && (word.length() == BUS.length()
              || !UnicodeLetters.isLetterOrNumber(word.codePointAt(BUS.length())));
    }

    private void marker(String comment, int at, int after) {
      int here = lineOf(at);
      if (after < 0) {
        report(here, "the marker has no " + END);
      } else if (comment.startsWith("/")) {
        close(at, here);
      } else {
        begin(comment, after, here);
      }
    }

    private void begin(String comment, int after, int here) {
      if (open != null) {
        report(openLine, "BUS:" + open.word() + " is never closed");
        open = null;
      }
      reported = false;
      int colon = comment.indexOf(':');
      Notice.Kind kind = colon < 0 ? null : Notice.Kind.find(comment.substring(colon + 1).strip());
      if (kind == null || kind == Notice.Kind.CONTEXT) {
        report(here, "a marker is BUS:discovery, BUS:warning or BUS:intent");
        reported = true;
        return;
      }
      open = kind;
      content = after;
      openLine = here;
    }

    private void close(int at, int here) {
      Notice.Kind kind = open;
      open = null;
      if (kind == null) {
        if (!reported) {
          report(here, "/BUS has no beginning");
        }
        reported = false;
        return;
      }
      String said = text.substring(content, at).strip();
      if (said.isEmpty()) {
        report(openLine, "BUS:" + kind.word() + " is empty");
      } else if (said.length() > Notice.LONGEST_TEXT) {
        report(openLine, "its text is longer than " + Notice.LONGEST_TEXT + " characters");
      } else {
        found.add(new Found(kind, said, openLine));
      }
    }

    private void report(int where, String reason) {
      malformed.add(new Malformed(where, reason));
    }

    /** The line of a position. Positions must be asked for in ascending order. */
    private int lineOf(int position) {
      for (; counted < position; counted++) {
        line += text.charAt(counted) == '\n' ? 1 : 0;
      }
      return line;
    }
  }
}
