package dev.parley.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A bus on which everything has happened: mail, tasks, locks, boards, bulletins, runs of agents.
 * Made by the commands in {@code busy-bus.txt}, and put back as it was as often as a test wants.
 */
public final class BusyBus {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private final Path work;
  private final Path kept;
  private final Map<String, String> names = new HashMap<>();

  private BusyBus(Path work, Path kept) {
    this.work = work;
    this.kept = kept;
  }

  public static BusyBus in(Path folder) throws IOException, InterruptedException {
    BusyBus bus =
        new BusyBus(Files.createDirectory(folder.resolve("work")), folder.resolve("kept"));
    Files.writeString(folder.resolve("outside.md"), "");
    bus.make();
    return bus;
  }

  public Path work() {
    return work;
  }

  private void make() throws IOException, InterruptedException {
    Files.createDirectories(work.resolve("config/parley"));
    StringBuilder toml = new StringBuilder();
    for (String name : List.of("one", "two")) {
      Path script =
          Files.writeString(
              work.resolve(name + ".sh"),
              "#!/bin/sh\ncat >/dev/null\necho \"$PARLEY_STAGE of "
                  + name
                  + "\"\necho 'POSITION: yes'\n");
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
      toml.append("[agents.")
          .append(name)
          .append("]\ncommand = [\"")
          .append(script)
          .append("\"]\n");
    }
    Files.writeString(work.resolve("config/parley/parley.toml"), toml);
    Files.writeString(work.resolve("plan.md"), "The plan.\n");
    Files.writeString(work.resolve("more.md"), "More.\n");
    Files.writeString(work.resolve("scan.txt"), "<!-- BUS:discovery -->it is so<!-- /BUS -->\n");
    Files.writeString(
        work.resolve("tasks.md"), "## Task 1: Parse\nDo it.\n**Files:**\n- Create: `a.py`\n");
    git("init -q -b main");
    git("-c user.name=a -c user.email=a@b commit -q --allow-empty -m begin");
    git("add plan.md");
    Files.writeString(work.resolve(".git/info/exclude"), "*\n");
    git("-c user.name=a -c user.email=a@b commit -q -m plan");
    for (String line : Files.readAllLines(Path.of("src/test/resources/busy-bus.txt"))) {
      if (!line.isBlank() && !line.startsWith("#")) {
        int space = line.indexOf(' ');
        ok(line.substring(0, space), line.substring(space + 1));
      }
    }
    List<Map<String, Json>> inbox =
        ok("ann", "inbox list --of ann --sort oldest --json").lines().stream()
            .map(line -> Json.parse(line).fields())
            .toList();
    names.put("@m1", inbox.get(0).get("id").text());
    names.put("@m2", inbox.get(1).get("id").text());
    names.put("@lease", lease());
    names.put(
        "@j1",
        Json.parse(ok("ann", "journal read --file journal.md --json").lines().getFirst())
            .fields()
            .get("messageId")
            .text());
    copy(work, kept);
  }

  /** What a name in a line stands for: an id or a token. */
  public void name(String name, String value) {
    names.put(name, value);
  }

  /** The words of a line; quoted ones may have blanks, and names stand for their values. */
  public List<String> words(String line) {
    List<String> words = new ArrayList<>();
    WORD.matcher(line)
        .results()
        .forEach(it -> words.add(it.group(1) != null ? it.group(1) : it.group(2)));
    words.replaceAll(word -> names.getOrDefault(word, word));
    return words;
  }

  private String lease() {
    return ok("ann", "locks list m.txt --json").lines().stream()
        .map(line -> Json.parse(line).fields())
        .filter(lease -> lease.get("holder").text().equals("ann"))
        .map(lease -> String.valueOf(lease.get("token").number(0)))
        .findFirst()
        .orElseThrow();
  }

  public Trial trial() {
    return new Trial(work)
        .with("PARLEY_AGENT", "ann")
        .with("PARLEY_STATE", work.resolve("state").toString())
        .with("XDG_CONFIG_HOME", work.resolve("config").toString())
        .with("HOME", work.toString())
        .with("PATH", "/usr/bin:/bin");
  }

  public Answer ok(String agent, String line) {
    Answer answer = trial().with("PARLEY_AGENT", agent).run(words(line).toArray(String[]::new));
    assertThat(answer.exitCode()).as(line + ": " + answer.out() + answer.err()).isZero();
    return answer;
  }

  private void git(String line) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("git"));
    words.addAll(List.of(line.split(" ")));
    assertThat(new ProcessBuilder(words).directory(work.toFile()).start().waitFor()).isZero();
  }

  /** Puts everything back as it was made. */
  public void restore() throws IOException {
    try (Stream<Path> all = Files.walk(work)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(work)) {
          Files.delete(path);
        }
      }
    }
    copy(kept, work);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path copy = to.resolve(from.relativize(path).toString());
        if (!Files.isDirectory(copy)) {
          Files.copy(path, copy, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
        }
      }
    }
  }
}
