package dev.parley.cli.mount;

import dev.parley.cli.terminal.Notices;
import dev.parley.dialects.file.FileRemark;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Reports each problem in a foreign file once; of very many, only the number. */
final class RemarkNotices {
  private static final int REMEMBERED = 10_000;

  private RemarkNotices() {}

  static Consumer<FileRemark> to(Notices notices) {
    Set<FileRemark> told = new HashSet<>();
    return remark -> {
      if (told.size() == REMEMBERED || told.add(remark)) {
        notices.finding(remark.describe(), "parley doctor");
      }
    };
  }
}
