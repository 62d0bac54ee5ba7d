package dev.parley.cli.journal;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Stop;
import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.markdown.JournalFile;
import dev.parley.dialects.markdown.JournalFollower;
import dev.parley.dialects.markdown.JournalLint;
import dev.parley.dialects.markdown.JournalMessage;
import dev.parley.dialects.markdown.JournalTemplate;
import dev.parley.dialects.markdown.JournalType;
import dev.parley.dialects.markdown.LocatedMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Writes and reads a journal, without a bus. */
public final class Journal implements Command {
  /** Plain text, so that help loads no journal code. */
  static final String TYPES =
      "FACT, DECISION, QUESTION, ANSWER, PROGRESS, ERROR, COMPLETE, TASK, REVIEW";

  private static final Parameter NAME =
      Parameter.optional("name", "the template").choices("REVIEW", "ERROR");
  private static final Option FILE =
      Option.value("--file", "file", "the journal (MESSAGE-BUS.md here or above, or MESSAGE_BUS)");
  private static final Option TYPE = Option.value("--type", "type", TYPES);
  private static final Option ONLY_TYPE =
      Option.value("--type", "type", "only messages of this type: " + TYPES).repeated();
  private static final Option RUN =
      Option.value("--run", "id", "the run it belongs to (or RUN_ID)");
  private static final Option ONLY_RUN =
      Option.value("--run", "id", "only messages that belong to it");
  private static final Option TASK = Option.value("--task", "id", "the task");
  private static final Option ONLY_TASK =
      Option.value("--task", "id", "only messages that belong to it");
  private static final Option RELATES_TO =
      Option.value("--relates-to", "id", "the id of the related message");
  private static final Option ONLY_RELATED =
      Option.value("--relates-to", "id", "this message and all related messages after it");
  private static final Option FILES =
      Option.value("--files", "files", "related files, separated by commas");
  private static final Option ARTIFACTS =
      Option.value("--artifacts", "files", "resulting files, separated by commas");
  private static final Option BODY = Body.option("the text");
  private static final Option SET =
      Option.value("--set", "field=text", "set a field; repeatable").repeated();
  private static final Option LAST =
      Option.value("--last", "count", "only the last n messages").letter("-n");

  @Override
  public Description description() {
    return Description.family(
        "journal",
        Group.CONNECT,
        "write and read a MESSAGE-BUS.md",
        "A journal is a Markdown file of messages with front matter, for people and agents. post"
            + " appends a message and never changes existing text; a body may hold anything and is"
            + " read back unchanged. read lists messages, follow prints new ones, lint reports"
            + " lines that break the format, template prints a REVIEW or ERROR form. No bus is"
            + " needed.",
        null,
        List.of(
            Description.sub(
                "post",
                "append a message",
                List.of(),
                List.of(FILE, TYPE.needed(), RUN, TASK, RELATES_TO, FILES, ARTIFACTS, BODY)),
            Description.sub(
                "read",
                "list the messages",
                List.of(),
                List.of(FILE, ONLY_TYPE, ONLY_RUN, ONLY_TASK, ONLY_RELATED, LAST)),
            Description.sub(
                "follow",
                "print new messages as they arrive",
                List.of(),
                List.of(FILE, ONLY_TYPE, ONLY_RUN, ONLY_TASK)),
            Description.sub(
                "lint", "list deviations from the format by line", List.of(), List.of(FILE)),
            Description.sub(
                "template", "print the form of a REVIEW or ERROR", List.of(NAME), List.of(SET))),
        List.of(
            "parley journal post --as claude-dev-1 --type FACT --run run_001 --task TASK-7 --body"
                + " \"The API pages.\"",
            "parley journal read --type QUESTION --json",
            "parley journal template REVIEW --set scope=core --set severity=minor",
            "parley journal lint --file docs/MESSAGE-BUS.md"));
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    return switch (arguments.subcommand()) {
      case "post" -> post(invocation);
      case "read" -> read(invocation);
      case "follow" -> follow(invocation);
      case "lint" -> lint(invocation);
      default -> template(invocation);
    };
  }

  private static JournalFile file(Invocation invocation) {
    String named = invocation.arguments().value(FILE);
    Path path = named == null ? null : invocation.path(FILE.name(), named);
    return JournalFile.find(path, invocation.shell().folder(), invocation.shell().environment());
  }

  /** The journal to read, which must exist. */
  private static JournalFile existing(Invocation invocation) {
    JournalFile file = file(invocation);
    if (!file.exists()) {
      throw ParleyException.refused(
          "no-journal",
          "There is no journal at " + file.path() + ".",
          "Make one with parley init --dialect markdown " + file.path() + ".");
    }
    return file;
  }

  private static int post(Invocation invocation) throws IOException {
    Arguments arguments = invocation.arguments();
    String agent = invocation.agent();
    if (agent == null) {
      throw ParleyException.invalid(
          "no-identity",
          "No agent name set.",
          "Add --as <type>-<role>-<n>, or once for this shell: export "
              + Invocation.AGENT
              + "=<type>-<role>-<n>");
    }
    String run = arguments.value(RUN);
    JournalFile.Draft draft =
        new JournalFile.Draft(
            JournalType.named(arguments.required(TYPE)),
            agent,
            run != null ? run : invocation.shell().variable("RUN_ID"),
            arguments.value(TASK),
            arguments.value(RELATES_TO),
            list(arguments.value(FILES)),
            list(arguments.value(ARTIFACTS)),
            Body.read(invocation, Limits.DEFAULT, arguments.value(BODY, "")));
    JournalFile file = file(invocation);
    JournalMessage message = file.post(draft, Instant.now());
    Output out = invocation.out();
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("state", "stored")
              .put("messageId", message.messageId())
              .put("file", file.path().toString())
              .build());
    } else {
      out.line("stored " + message.messageId() + " in " + Printable.text(file.path().toString()));
    }
    return ExitCode.OK;
  }

  private static List<String> list(@Nullable String text) {
    return text == null
        ? List.of()
        : Arrays.stream(text.split(",")).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  private static int read(Invocation invocation) {
    JournalFile.Reading reading = existing(invocation).read();
    List<JournalMessage> messages =
        selected(invocation, reading.messages().stream().map(LocatedMessage::message).toList());
    MessageText text = new MessageText(invocation.out());
    messages.forEach(text::print);
    if (messages.isEmpty() && !invocation.out().isJson()) {
      invocation.out().line("No such messages.");
    }
    long passedOver = reading.remarks().stream().filter(remark -> !remark.understood()).count();
    if (passedOver > 0) {
      invocation
          .notices()
          .say(passedOver + " passages could not be read: parley journal lint lists them");
    }
    return ExitCode.OK;
  }

  private static List<JournalMessage> selected(
      Invocation invocation, List<JournalMessage> messages) {
    Arguments arguments = invocation.arguments();
    String root = arguments.value(RELATES_TO);
    Set<String> thread = root == null ? null : new HashSet<>(Set.of(root));
    Predicate<JournalMessage> wanted = wanted(arguments);
    List<JournalMessage> selected = new ArrayList<>();
    for (JournalMessage message : messages) {
      if (thread != null && message.relatesTo() != null && thread.contains(message.relatesTo())) {
        thread.add(message.messageId());
      }
      boolean related = thread == null || thread.contains(message.messageId());
      if (related && wanted.test(message)) {
        selected.add(message);
      }
    }
    int last = last(arguments.value(LAST), selected.size());
    return selected.subList(Math.max(0, selected.size() - last), selected.size());
  }

  private static Predicate<JournalMessage> wanted(Arguments arguments) {
    List<String> types = arguments.values(TYPE);
    String run = arguments.value(RUN);
    String task = arguments.value(TASK);
    return message ->
        (types.isEmpty() || types.stream().anyMatch(message.type()::equalsIgnoreCase))
            && (run == null || run.equals(message.runId()))
            && (task == null || task.equals(message.taskId()));
  }

  private static int last(@Nullable String text, int otherwise) {
    try {
      return text == null ? otherwise : Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      throw ParleyException.invalid(
          "bad-number", LAST.name() + " \"" + text + "\" is not a number.", "Write -n 10.");
    }
  }

  private static int follow(Invocation invocation) throws InterruptedException {
    Arguments arguments = invocation.arguments();
    Predicate<JournalMessage> wanted = wanted(arguments);
    MessageText text = new MessageText(invocation.out());
    try (JournalFollower follower =
            new JournalFollower(
                existing(invocation),
                false,
                (line, understood, reason) -> {
                  if (!understood) {
                    invocation
                        .notices()
                        .finding("line " + line + ": " + reason, "parley journal lint");
                  }
                });
        Stop _ = Stop.onSignal(follower::close)) {
      List<JournalMessage> news = follower.next();
      while (!news.isEmpty()) {
        news.stream().filter(wanted).forEach(text::print);
        invocation.out().flush();
        news = follower.next();
      }
    }
    return ExitCode.OK;
  }

  private static int lint(Invocation invocation) {
    Output out = invocation.out();
    JournalFile file = existing(invocation);
    List<FileRemark> remarks = JournalLint.check(file);
    for (FileRemark remark : remarks) {
      if (out.isJson()) {
        out.line(
            Json.object()
                .put("file", remark.file().toString())
                .put("line", remark.line())
                .put("understood", remark.understood())
                .put("reason", remark.reason())
                .build());
      } else {
        out.line(Printable.text(remark.describe()));
      }
    }
    if (remarks.isEmpty() && !out.isJson()) {
      out.line("The journal follows the format: " + Printable.text(file.path().toString()));
    }
    return remarks.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static int template(Invocation invocation) {
    String name = invocation.arguments().word(NAME);
    JournalType kind =
        name == null ? JournalType.REVIEW : JournalType.find(name.toUpperCase(Locale.ROOT));
    JournalTemplate template = kind == null ? null : JournalTemplate.of(kind);
    if (template == null) {
      throw ParleyException.invalid(
          "no-template", "There is no template for " + name + ".", "Use REVIEW or ERROR.");
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (String pair : invocation.arguments().values(SET)) {
      int equals = pair.indexOf('=');
      if (equals <= 0) {
        throw ParleyException.invalid(
            "bad-field",
            "\"" + pair + "\" is not field=text.",
            "The fields are " + String.join(", ", template.fields()) + ".");
      }
      values.put(pair.substring(0, equals).toLowerCase(Locale.ROOT), pair.substring(equals + 1));
    }
    String filled = template.fill(values);
    if (invocation.out().isJson()) {
      invocation
          .out()
          .line(
              Json.object()
                  .put("template", template.name())
                  .put("fields", Json.ofStrings(template.fields()))
                  .put("text", filled)
                  .build());
    } else {
      filled.lines().map(Printable::text).forEach(invocation.out()::line);
    }
    return ExitCode.OK;
  }
}
