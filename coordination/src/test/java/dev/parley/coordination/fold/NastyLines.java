package dev.parley.coordination.fold;

import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Logs of one kind of line each, chosen so that a fold which looks at everything there is for every
 * line takes time with the square of the lines.
 */
@SuppressWarnings("ImmutableEnumChecker")
enum NastyLines {
  HEARTBEATS("ledger", "two sessions say again and again that they live") {
    @Override
    void write(int lines) {
      join(2);
      while (isRoom(lines)) {
        add("heartbeat", agent(size() % 2), "\"status\":\"RUNNING\",\"note\":\"still here\"");
      }
    }
  },
  JOINS("ledger", "every line is a new session, and every third one leaves") {
    @Override
    void write(int lines) {
      for (int i = 0; isRoom(lines); i++) {
        add(i % 3 == 2 ? "leave" : "join", agent(i - i % 3), "");
      }
    }
  },
  EXPECTED("ledger", "each line expects ten more names") {
    @Override
    void write(int lines) {
      join(1);
      while (isRoom(lines)) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          names.add("\"n" + size() + "-" + i + "\"");
        }
        add("expect", agent(0), "\"names\":[" + String.join(",", names) + "]");
      }
    }
  },
  SAME_PATH("ledger", "everyone waits in line for one path") {
    @Override
    void write(int lines) {
      for (int i = 0; isRoom(lines); i++) {
        join(i, i + 1);
        lease(i, "\"a.txt\"", ",\"wait\":604800");
      }
    }
  },
  SAME_WAITER("ledger", "one session asks to wait for the same path again and again") {
    @Override
    void write(int lines) {
      join(2);
      lease(0, "\"a.txt\"", "");
      while (isRoom(lines)) {
        lease(1, "\"a.txt\"", ",\"wait\":604800");
      }
    }
  },
  LINE_BEHIND_RELEASES("ledger", "a lease is taken and released while many others wait in line") {
    @Override
    void write(int lines) {
      join(lines / 10);
      lease(0, "\"held\"", "");
      for (int i = 1; i < lines / 10; i++) {
        lease(i, "\"held/" + i % 50 + "\"", ",\"wait\":604800");
      }
      while (isRoom(lines)) {
        lease(1, "\"free\"", "");
        add("lease.release", agent(1), "\"token\":" + size());
      }
    }
  },
  MANY_LEASES_OF_ONE("ledger", "one session holds ever more paths") {
    @Override
    void write(int lines) {
      join(1);
      while (isRoom(lines)) {
        lease(0, "\"d" + size() % 100 + "/f" + size() + "\"", "");
      }
    }
  },
  MANY_LEASES_OF_MANY("ledger", "many sessions hold ever more paths in one folder") {
    @Override
    void write(int lines) {
      join(100);
      while (isRoom(lines)) {
        lease(size() % 100, "\"d/f" + size() + "\"", "");
      }
    }
  },
  SHARED_LEASES("ledger", "many sessions share one path, and somebody wants it alone") {
    @Override
    void write(int lines) {
      join(100);
      while (isRoom(lines)) {
        lease(size() % 100, "\"d/f\"", size() % 2 == 0 ? ",\"shared\":true" : "");
      }
    }
  },
  WILD_LEASES("ledger", "patterns that begin with a star, each compared with all of them") {
    @Override
    void write(int lines) {
      join(100);
      while (isRoom(lines)) {
        lease(
            size() % 100,
            "\"*x" + size() + "/*\",\"**/*y" + size() + "\"",
            size() % 3 == 0 ? "" : ",\"shared\":true");
      }
    }
  },
  HARD_PATTERNS("ledger", "as many patterns a line as there may be, hard to compare") {
    @Override
    void write(int lines) {
      join(4);
      for (int i = 0; isRoom(lines); i++) {
        lease(i % 4, hardPatterns(i % 4, 255), ",\"wait\":600");
      }
    }

    @Override
    int most() {
      return 1_000;
    }
  },
  RENEWED("ledger", "the leases of many are renewed while many wait") {
    @Override
    void write(int lines) {
      join(lines / 5);
      int first = size() + 1;
      for (int i = 0; i < lines / 10; i++) {
        lease(i, "\"d/f" + i + "\"", "");
      }
      for (int i = lines / 10; i < lines / 5; i++) {
        lease(i, "\"d/f" + (i - lines / 10) + "\"", ",\"wait\":604800");
      }
      for (int i = 0; isRoom(lines); i++) {
        int holder = i % (lines / 10);
        add("lease.renew", agent(holder), "\"token\":" + (first + holder) + ",\"ttl\":3600");
      }
    }
  },
  REPORTED("ledger", "another tool reports leases on the same and on more and more paths") {
    @Override
    void write(int lines) {
      join(100);
      while (isRoom(lines)) {
        int path = size() % 2 == 0 ? 0 : size();
        add("lease.report", agent(size() % 100), "\"paths\":[\"d/f" + path + "\"]");
      }
    }
  },
  TASK_CHAIN("ledger", "each task depends on the one before; then they are done one by one") {
    @Override
    void write(int lines) {
      join(1);
      for (int i = 0; i < lines / 3; i++) {
        task("t" + i, i == 0 ? "" : "\"t" + (i - 1) + "\"", "");
      }
      for (int i = 0; isRoom(lines); i++) {
        add("task.claim", agent(0), "\"task\":\"t" + i + "\"");
        add("task.done", agent(0), "\"task\":\"t" + i + "\"");
      }
    }
  },
  TASK_CHAIN_BACKWARDS("ledger", "each task is added before what it depends on") {
    @Override
    void write(int lines) {
      join(1);
      for (int i = 0; isRoom(lines); i++) {
        task("t" + i, "\"t" + (i + 1) + "\"", ",\"later\":true");
      }
    }
  },
  TASK_CHAIN_PROLONGED(
      "ledger", "tasks that others depend on already are put behind a long chain") {
    @Override
    void write(int lines) {
      join(1);
      for (int i = 0; i < lines / 3; i++) {
        task("t" + i, i == 0 ? "" : "\"t" + (i - 1) + "\"", "");
      }
      for (int i = 0; isRoom(lines); i++) {
        task("y" + i, "\"x" + i + "\"", ",\"later\":true");
        task("x" + i, "\"t" + (lines / 3 - 1) + "\"", "");
      }
    }
  },
  TASKS_AFTER_MANY("ledger", "each task depends on the 200 before it") {
    @Override
    void write(int lines) {
      join(1);
      for (int i = 0; isRoom(lines); i++) {
        List<String> after = new ArrayList<>();
        for (int j = Math.max(0, i - 200); j < i; j++) {
          after.add("\"t" + j + "\"");
        }
        task("t" + i, String.join(",", after), "");
      }
    }

    @Override
    int most() {
      return 20_000;
    }
  },
  TASKS_AFTER_ONE("ledger", "all tasks depend on one, which fails and is tried again") {
    @Override
    void write(int lines) {
      join(1);
      task("t", "", ",\"tries\":100");
      for (int i = 0; i < lines / 2; i++) {
        task("t" + i, "\"t\"", "");
      }
      while (isRoom(lines)) {
        add("task.claim", agent(0), "\"task\":\"t\"");
        add("task.fail", agent(0), "\"task\":\"t\",\"recoverable\":true");
        add("task.retry", agent(0), "\"task\":\"t\"");
      }
    }
  },
  TASKS_FOR_NOBODY("ledger", "somebody asks for the next of many tasks that it can't do") {
    @Override
    void write(int lines) {
      join(2);
      for (int i = 0; i < lines / 2; i++) {
        task("t" + i, "", ",\"needs\":[\"magic\"]");
      }
      while (isRoom(lines)) {
        add("task.next", agent(1), "");
      }
    }
  },
  ALL_CLAIMED("ledger", "one session claims everything, and says how it goes") {
    @Override
    void write(int lines) {
      join(1);
      for (int i = 0; i < lines / 3; i++) {
        task("t" + i, "", "");
        add("task.claim", agent(0), "\"task\":\"t" + i + "\"");
      }
      for (int i = 0; isRoom(lines); i++) {
        add("task.progress", agent(0), "\"task\":\"t" + i % (lines / 3) + "\",\"progress\":50");
      }
    }
  },
  ALL_ON_ONE_TASK("ledger", "everybody claims, blocks and gives back the same task") {
    @Override
    void write(int lines) {
      join(100);
      task("t", "", "");
      while (isRoom(lines)) {
        String who = agent(size() / 3 % 100);
        add("task.claim", who, "\"task\":\"t\"");
        add("task.block", who, "\"task\":\"t\",\"on\":\"" + agent(7) + "\"");
        add("task.release", who, "\"task\":\"t\"");
      }
    }
  },
  WAITS_FOR_AN_AGENT("ledger", "waits for an agent, never ended") {
    @Override
    void write(int lines) {
      join(100);
      while (isRoom(lines)) {
        waits(1 + size() % 99, agent(0), "wait.begin");
      }
    }
  },
  WAITS_FOR_A_PATH("ledger", "waits for a path that somebody holds, never ended") {
    @Override
    void write(int lines) {
      join(100);
      lease(0, "\"d/f\"", ",\"ttl\":604800");
      while (isRoom(lines)) {
        waits(1 + size() % 99, "path:d/f", "wait.begin");
      }
    }
  },
  WAITS_FOR_A_TASK("ledger", "waits for tasks, never ended") {
    @Override
    void write(int lines) {
      join(100);
      task("t", "", "");
      while (isRoom(lines)) {
        waits(size() % 100, "task:t" + (size() % 2 == 0 ? "" : size()), "wait.begin");
      }
    }
  },
  WAITS_FOR_A_BOARD("ledger", "waits for a board, never ended, while its electors speak") {
    @Override
    void write(int lines) {
      join(100);
      board("b", 64);
      while (isRoom(lines)) {
        waits(64 + size() % 36, "board:b", "wait.begin");
        add(
            "board.assess",
            agent(size() % 63),
            "\"board\":\"b\",\"verdict\":\"APPROVE\",\"score\":7");
      }
    }
  },
  REPORTED_WAITS("ledger", "waits that another tool reports, in circles") {
    @Override
    void write(int lines) {
      join(100);
      while (isRoom(lines)) {
        waits(size() % 100, agent((size() + 1) % 100), "wait.report");
      }
    }
  },
  LEAVES_AMONG_WAITS("ledger", "sessions come and go while many wait") {
    @Override
    void write(int lines) {
      join(100);
      for (int i = 0; i < lines / 2; i++) {
        waits(1 + i % 99, agent(0), "wait.begin");
      }
      for (int i = 0; isRoom(lines); i++) {
        join(1_000_000 + i, 1_000_001 + i);
        add("leave", agent(1_000_000 + i), "");
      }
    }
  },
  TICKS_AMONG_ALL("ledger", "ticks while there are many leases, waiters, waits and claims") {
    @Override
    void write(int lines) {
      join(100);
      for (int i = 0; i < lines / 10; i++) {
        lease(i % 50, "\"d/f" + i + "\"", "");
        lease(50 + i % 50, "\"d/f" + i + "\"", ",\"wait\":604800");
        waits(i % 99, agent(99), "wait.begin");
        task("t" + i, "", "");
        add("task.claim", agent(i % 100), "\"task\":\"t" + i + "\",\"ttl\":604800");
      }
      while (isRoom(lines)) {
        add("tick", agent(0), "");
      }
    }
  },
  BOARDS("ledger", "ever more boards without a name, others having taken the names") {
    @Override
    void write(int lines) {
      join(1);
      for (int i = 0; i < lines / 2; i++) {
        board("board-" + (lines / 2 + i), 1);
      }
      while (isRoom(lines)) {
        add(
            "board.open",
            agent(0),
            "\"checkpoint\":\"c\",\"proposal\":\"p\",\"electorate\":[\"" + agent(0) + "\"]");
      }
    }
  },
  SPEECHES("ledger", "boards at which as much is said as can be") {
    @Override
    void write(int lines) {
      join(64);
      for (int i = 0; isRoom(lines); i++) {
        board("b" + i, 64);
        add("board.advance", agent(0), "\"board\":\"b" + i + "\"");
        for (int j = 0; j < 1_010 && isRoom(lines); j++) {
          add(
              "board.discuss",
              agent(1 + j % 2),
              "\"board\":\"b" + i + "\",\"kind\":\"AGREE\",\"to\":\"ALL\",\"body\":\"so it is\"");
        }
      }
    }
  },
  UNDONE("ledger", "leases, tasks and sessions are made and undone, and what is not there") {
    @Override
    void write(int lines) {
      join(1);
      for (int i = 0; i < lines / 4; i++) {
        lease(0, "\"d/f" + i + "\"", "");
        task("t" + i, "", "");
      }
      for (int i = 2; isRoom(lines); i++) {
        add(
            "undo",
            agent(0),
            "\"positions\":[" + (i + 1) + "," + 10 * lines + "],\"reason\":\"r\"");
      }
    }
  },
  RULES_AND_UNKNOWN("ledger", "rules are said again and again, and types that nobody knows") {
    @Override
    void write(int lines) {
      join(1);
      while (isRoom(lines)) {
        add("rules", agent(0), "\"rules\":2,\"staleAfter\":600");
        add("nobody-knows", agent(0), "");
      }
    }
  },
  MAIL("mail.x", "mail that nobody reads, in one thread, automatic") {
    @Override
    void write(int lines) {
      while (isRoom(lines)) {
        mail("\"key\":\"k" + size() + "\",\"automatic\":true");
      }
    }
  },
  RECEIPTS("receipts.x", "each line says of the whole inbox that it was delivered") {
    @Override
    void write(int lines) {
      inbox(lines / 2);
      while (isRoom(lines)) {
        receipt("\"delivered\":" + through(lines / 2) + ",\"session\":\"s\"");
      }
    }
  },
  RECEIPTS_SEEN("receipts.x", "each line says of the whole inbox that it was seen") {
    @Override
    void write(int lines) {
      inbox(lines / 2);
      while (isRoom(lines)) {
        receipt("\"seen\":" + through(lines / 2) + ",\"session\":\"s" + size() + "\"");
      }
    }
  },
  RECEIPTS_OF_SESSIONS("receipts.x", "the whole inbox is delivered to one session after another") {
    @Override
    void write(int lines) {
      inbox(lines / 2);
      while (isRoom(lines)) {
        receipt("\"delivered\":" + through(lines / 2) + ",\"session\":\"s" + size() + "\"");
      }
    }
  },
  ENDS("receipts.x", "messages end one by one, each said twice, while many that ended are kept") {
    @Override
    void write(int lines) {
      mailLine("mail.limits", "\"recent\":1000000", "");
      inbox(lines / 2);
      for (int i = 1; isRoom(lines); i++) {
        for (int j = 0; j < 2; j++) {
          receiptLine(
              "mail.end",
              "\"at\":["
                  + (i + 1)
                  + "],\"ids\":[\""
                  + id(i + 1)
                  + "\"],\"how\":\"removed\",\"session\":\"s\"");
        }
      }
    }
  },
  SENT("sent.x", "one message after the other is sent to many") {
    @Override
    void write(int lines) {
      while (isRoom(lines)) {
        List<String> copies = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          copies.add("{\"to\":\"n" + i + "\",\"id\":\"c" + size() + "-" + i + "\",\"position\":1}");
        }
        add("mail.sent", "x", "\"subject\":\"s\",\"copies\":[" + String.join(",", copies) + "]");
      }
    }
  };

  private static final String WRITER = "aaaaaaaaaaaaaaaa";
  private static final Instant BEGIN = Instant.parse("2026-11-15T12:00:00Z");

  final String topic;
  final String what;
  private List<Line> log = new ArrayList<>();
  private String rules = "";

  /** A line, and the topic it stands in. */
  record Line(String topic, String text) {}

  NastyLines(String topic, String what) {
    this.topic = topic;
    this.what = what;
  }

  abstract void write(int lines);

  /** How many lines it makes sense to write: of some each is as long as can be. */
  int most() {
    return Integer.MAX_VALUE;
  }

  /** So many lines, under these rules. */
  synchronized List<Line> lines(int count, long rules) {
    log = new ArrayList<>();
    this.rules = "\"rules\":" + rules;
    if (topic.equals("ledger")) {
      add("rules", "parley", this.rules);
    }
    write(count);
    List<Line> written = log;
    log = new ArrayList<>();
    return written;
  }

  /**
   * Patterns of which it turns out late that those of even and odd agents have nothing in common.
   */
  static String hardPatterns(int who, int count) {
    List<String> patterns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String half = "*a".repeat(25);
      patterns.add(
          who % 2 == 0
              ? "\"" + half + "*" + (char) ('c' + i % 20) + half + "*" + "?".repeat(i / 20) + "\""
              : "\""
                  + "[ab]".repeat(16)
                  + "?".repeat(i % 40)
                  + "[b-"
                  + (char) ('c' + i / 40)
                  + "]\"");
    }
    return String.join(",", patterns);
  }

  final boolean isRoom(int lines) {
    return log.size() < lines;
  }

  final int size() {
    return log.size();
  }

  static String agent(int number) {
    return "a" + number;
  }

  final void join(int count) {
    join(0, count);
  }

  final void join(int from, int to) {
    for (int i = from; i < to; i++) {
      add("join", agent(i), "");
    }
  }

  final void lease(int who, String paths, String more) {
    add("lease.request", agent(who), "\"paths\":[" + paths + "]" + more);
  }

  final void task(String id, String after, String more) {
    add(
        "task.add",
        agent(0),
        "\"task\":\"" + id + "\",\"title\":\"t\",\"after\":[" + after + "]" + more);
  }

  final void waits(int who, String target, String type) {
    add(
        type,
        agent(who),
        "\"for\":\""
            + target
            + "\",\"timeout\":604800"
            + (type.endsWith("begin") ? ",\"later\":true" : ""));
  }

  final void board(String name, int electors) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < electors; i++) {
      names.add("\"" + agent(i) + "\"");
    }
    add(
        "board.open",
        agent(0),
        "\"board\":\""
            + name
            + "\",\"checkpoint\":\"c\",\"proposal\":\"p\",\"rounds\":3,\"electorate\":["
            + String.join(",", names)
            + "]");
  }

  final void add(String type, String sender, String payload) {
    String session = "\"session\":\"s-" + sender + "\"" + (payload.isEmpty() ? "" : ",");
    line(topic, type, sender, session + payload, "");
  }

  final void inbox(int count) {
    for (int i = size(); i < count; i++) {
      mail("\"needsReply\":true");
    }
  }

  final void mail(String more) {
    mailLine("message", "\"body\":\"b\"", ",\"thread\":\"t\"," + more);
  }

  final void mailLine(String type, String payload, String more) {
    line("mail.x", type, "y", payload, more);
  }

  final void receipt(String payload) {
    receiptLine("mail.receipt", payload);
  }

  final void receiptLine(String type, String payload) {
    line("receipts.x", type, "x", "\"mailbox\":\"" + id(1) + "\"," + payload, "");
  }

  static String through(int position) {
    return "{\"through\":" + position + ",\"id\":\"" + id(position) + "\",\"except\":[]}";
  }

  static String id(int number) {
    return WRITER + "-" + number;
  }

  private void line(String where, String type, String sender, String payload, String more) {
    int number = log.size() + 1;
    log.add(
        new Line(
            where,
            "{\"id\":\""
                + id(number)
                + "\",\"seq\":"
                + number
                + ",\"timestamp\":\""
                + Timestamps.format(BEGIN.plusMillis(number))
                + "\",\"sender\":\""
                + sender
                + "\",\"topic\":\""
                + where
                + "\",\"type\":\""
                + type
                + "\",\"payload\":{"
                + payload
                + "}"
                + more
                + "}"));
  }
}
