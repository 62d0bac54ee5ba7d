package dev.parley.cli.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.codec.Resummed;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A bus in use, in a repository, beside a home with files that an attacker would like to change.
 * Alice holds a file and a task, bob has mail, a board is open.
 */
public final class HostileBus {
  public static final List<String> COMMANDS =
      List.of(
          "",
          "help",
          "help --all",
          "--version",
          "completion bash",
          "status --as alice",
          "join --as erin",
          "who",
          "who --json",
          "heartbeat --as alice --status RUNNING",
          "send bob --as alice --body hello",
          "inbox --as bob",
          "inbox --as bob --json",
          "inbox sent --as alice",
          "wait --as bob --timeout 0s",
          "show aaaaaaaaaaaaaaaa-1",
          "reply aaaaaaaaaaaaaaaa-1 --as bob --body hello",
          "lock src/B.java --as bob",
          "locks list",
          "locks list --json",
          "unlock --all --as bob",
          "task list",
          "task list --json",
          "task add 7 --as bob",
          "task next --as bob",
          "task done 7 --as bob",
          "run --task 2 --as bob -- true",
          "waits",
          "waits --json",
          "board list",
          "board show board-1",
          "board vote board-1 --as bob --verdict APPROVE",
          "bulletin list",
          "bulletin read --wave wave-1",
          "bulletin post --wave wave-1 --kind warning --body hot --as bob",
          "mount list",
          "journal lint --file ../../home/notes.md",
          "topics",
          "tail",
          "tail --json -n 5",
          "publish notes --type note --payload {} --as bob",
          "publish notes --type note --payload 1 --as bob --json",
          "doctor --json",
          "version",
          "config",
          "watch",
          "agents",
          "runs",
          "runs show last",
          "consensus stats",
          "waves status",
          "moderate status",
          "keys",
          "wake",
          "session list",
          "flow",
          "leave --as erin");

  private static final int READ = 1000;

  private final Path root;
  private final Path home;
  private final Path repository;
  private final Path bus;
  private final Map<String, String> environment = new TreeMap<>();
  private String session = "";
  private String token = "";
  private String line = "";
  private String id = "";
  private final Map<String, byte[]> files = new TreeMap<>();

  public HostileBus(Path root) throws IOException {
    this.root = root;
    this.home = Files.createDirectories(root.resolve("home"));
    this.repository = Files.createDirectories(root.resolve("work/project"));
    this.bus = repository.resolve(BusFolder.NAME);
    environment.put("HOME", home.toString());
    environment.put("PARLEY_STATE", root.resolve("state").toString());
    Files.writeString(home.resolve(".profile"), "# mine\n");
    Files.writeString(home.resolve("notes.md"), "# Notes\n");
    Files.createDirectories(repository.resolve("src"));
    Files.writeString(repository.resolve("src/A.java"), "class A {}\n");
    assertThat(repository.resolve(".git/info").toFile().mkdirs()).isTrue();
    Files.writeString(repository.resolve(".git/HEAD"), "ref: refs/heads/main\n");
    begin();
  }

  private void begin() throws IOException {
    works("init");
    works("join", "--as", "alice", "--role", "builder");
    works("join", "--as", "bob");
    token = works("lock", "src/A.java", "--as", "alice", "--json").json().get("token") + "";
    works("task", "add", "1", "--title", "Parser", "--as", "alice");
    works("task", "add", "2", "--after", "1", "--as", "alice");
    works("task", "claim", "1", "--as", "alice");
    works("send", "bob", "--type", "question", "--body", "Which port?", "--as", "alice");
    works("board", "open", "EVALUATE_PLAN", "--electorate", "alice,bob", "--as", "alice");
    works("publish", "notes", "--type", "note", "--payload", "{}", "--as", "alice");
    for (Envelope envelope : lines("ledger")) {
      if (envelope.type().equals("join") && "alice".equals(envelope.sender())) {
        session = String.valueOf(envelope.payload().fields().get("session").text());
      }
    }
    assertThat(session).isNotEmpty();
    Path settings = bus.resolve("bus.json");
    id = String.valueOf(Json.parse(Files.readString(settings)).fields().get("id").text());
    files.put("bus.json", Files.readAllBytes(settings));
  }

  /** Puts the bus where nobody has trusted it: into another folder, as a clone or a copy would. */
  public void becomeAClone() throws IOException {
    Path registered = root.resolve("state");
    Files.move(registered, root.resolve("state-of-its-author"));
  }

  public void perform(HostileScenario.Step step) throws IOException {
    String verb = step.verb();
    int star = verb.indexOf('*');
    int times = star < 0 ? 1 : Integer.parseInt(verb.substring(star + 1));
    switch (star < 0 ? verb : verb.substring(0, star)) {
      case "clone" -> becomeAClone();
      case "forge" -> {
        List<String> words = step.words(4);
        forge(words.get(0), words.get(1), words.get(2), words.get(3), times);
      }
      case "summed" -> {
        List<String> words = step.words(2);
        append(words.get(0), Resummed.line(filled(words.get(1))) + "\n");
      }
      case "raw" -> append(step.words(2).get(0), filled(step.words(2).get(1)) + "\n");
      case "file" -> {
        Path file = bus.resolve(step.words(2).get(0));
        Files.createDirectories(file.getParent());
        Files.writeString(file, filled(step.words(2).get(1)));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
      case "symlink" -> {
        Path link = bus.resolve(step.words(2).get(0));
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, Path.of(filled(step.words(2).get(1))));
      }
      case "hardlink" -> {
        Path link = bus.resolve(step.words(2).get(0));
        Files.deleteIfExists(link);
        Files.createLink(link, Path.of(filled(step.words(2).get(1))));
      }
      case "doctor", "note", "repair", "restore" -> {
        // Afterwards.
      }
      default -> throw new IllegalArgumentException("No such step: " + step);
    }
  }

  /** Puts a file of the bus back, as a person would from a backup. */
  public void restore(String file) throws IOException {
    Files.write(bus.resolve(file), files.get(file));
  }

  /** Appends lines that are native in every respect: whoever can write the folder can do that. */
  public void forge(String topic, String sender, String type, String payload, int times) {
    List<String> payloads = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      payloads.add(payload.replace("{n}", String.valueOf(i)));
    }
    forge(topic, sender, type, payloads);
  }

  public void forge(String topic, String sender, String type, List<String> payloads) {
    List<Message> messages = new ArrayList<>();
    for (String payload : payloads) {
      messages.add(Message.of(sender, type, Json.parse(filled(payload))));
    }
    try (FileLog log = BusFolder.find(bus, repository, environment).openLog()) {
      line = log.append(new Topic(topic), messages).getLast().position().value() + "";
    }
  }

  private void append(String topic, String text) throws IOException {
    Files.writeString(
        bus.resolve(topic + ".jsonl"),
        text,
        UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private String filled(String text) {
    return text.replace("{id}", id)
        .replace("{home}", home.toString())
        .replace("{session}", session)
        .replace("{token}", token)
        .replace("{line}", line);
  }

  /** Runs a command that a person typed, with its quotes left out. */
  public Answer type(String command) {
    return run(filled(command).split(" "));
  }

  public Answer run(String... args) {
    Trial trial = new Trial(repository);
    environment.forEach(trial::with);
    return trial.run(args);
  }

  private Answer works(String... args) {
    Answer answer = run(args);
    assertThat(answer.exitCode()).as(String.join(" ", args) + ": " + answer).isZero();
    return answer;
  }

  /** What somebody new wants to do on the bus; all of it works. */
  public void everythingWorks() {
    works("join", "--as", "carol");
    works("lock", "docs/new.md", "--as", "carol");
    works("unlock", "docs/new.md", "--as", "carol");
    works("task", "add", "new", "--as", "carol");
    works("task", "claim", "new", "--as", "carol");
    works("task", "done", "new", "--as", "carol");
    works("join", "--as", "dave");
    works("send", "dave", "--body", "hello", "--as", "carol");
    assertThat(works("inbox", "--as", "dave").out()).contains("hello");
    works("board", "open", "QUICK", "--electorate", "carol", "--rounds", "0", "--as", "carol");
    works("publish", "fresh", "--type", "note", "--payload", "1", "--as", "carol");
    assertThat(works("tail", "fresh").out()).contains("carol");
    works("who");
    works("status", "--as", "carol");
  }

  private List<Envelope> lines(String topic) {
    try (FileLog log = BusFolder.find(bus, repository, environment).openLog()) {
      return log.read(new Topic(topic), Bookmark.START, READ).envelopes();
    }
  }

  /** Everything that is neither the bus nor what the program keeps for itself. */
  public Map<String, String> outside() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.toList()) {
        if (!path.startsWith(bus) && !path.startsWith(root.resolve("state"))) {
          PosixFileAttributes attributes =
              Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
          String content = attributes.isRegularFile() ? Files.readString(path) : "";
          found.put(path.toString(), attributes.permissions() + " " + content);
        }
      }
    }
    return found;
  }
}
