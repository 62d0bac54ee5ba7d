package dev.parley.cli.bulletin;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.IntOption;
import dev.parley.coordination.bulletin.BulletinPage;
import dev.parley.coordination.bulletin.BulletinSelection;
import dev.parley.coordination.bulletin.Bulletins;
import dev.parley.coordination.bulletin.Bulletins.Listed;
import dev.parley.coordination.bulletin.Notice;
import dev.parley.core.ParleyException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Notices between parallel workers: discoveries, warnings, intents, context. */
public final class BulletinCommand implements Command {
  /** The variable for the number of notices to read. */
  static final String CAP_VARIABLE = "BUS_MAX_BOARD_INJECT";

  private static final Parameter FILE =
      Parameter.optional("file", "the file to scan; - or nothing reads stdin");
  private static final Option WAVE = Option.value("--wave", "wave", "the wave, such as wave-1");
  private static final Option KIND =
      Option.value("--kind", "kind", "what kind of notice it is")
          .choices("discovery", "warning", "intent", "context");
  private static final Option BODY = Body.option("the text");
  private static final Option PATH =
      Option.value(
              "--path",
              "path",
              "a path that an intent is about (default: those in its text); repeatable")
          .repeated();
  private static final Option TO = Option.value("--to", "wave", "the next wave");
  private static final Option CAP =
      Option.value(
          "--cap",
          "n",
          "the largest number of messages, unless more are warnings (20, or " + CAP_VARIABLE + ")");
  private static final Option BUDGET =
      Option.value("--budget", "tokens", "the largest size in tokens (4000)");
  private static final Option ALL = Option.flag("--all", "everything");
  private static final Option MARKDOWN =
      Option.flag("--markdown", "print Markdown for a worker's context");

  @Override
  public Description description() {
    return Description.family(
        "bulletin",
        Group.COORDINATE,
        "share findings with parallel workers",
        "Every wave of workers has a bulletin. read prints all warnings and the latest other"
            + " messages; repeated messages are counted, and an intent that overlaps another"
            + " agent's lock or intent is marked. carry copies the 10 latest discoveries and all"
            + " warnings to the next wave. scan posts the passages that a text marks with <!--"
            + " BUS:discovery -->…<!-- /BUS --> (or warning, or intent), and reports markers that"
            + " it cannot parse.",
        "list",
        List.of(
            Description.sub("list", "list waves", List.of(), List.of()),
            Description.sub(
                "post",
                "post a message to the wave",
                List.of(),
                List.of(WAVE.needed(), KIND.needed(), BODY.needed(), PATH)),
            Description.sub(
                "read",
                "show warnings and the latest messages",
                List.of(),
                List.of(WAVE.needed(), CAP, BUDGET, ALL, MARKDOWN)),
            Description.sub(
                "carry",
                "copy messages to the next wave",
                List.of(),
                List.of(WAVE.needed(), TO.needed())),
            Description.sub(
                "scan",
                "post the marked passages of a text",
                List.of(FILE),
                List.of(WAVE.needed()))),
        List.of(
            "parley bulletin post --wave wave-1 --kind warning --body \"v2 of X breaks auth\"",
            "parley bulletin post --wave wave-1 --kind intent --body \"Changing src/auth/\"",
            "parley bulletin read --wave wave-1 --markdown --budget 2000 >> .ralph_context.md",
            "parley bulletin scan out.txt --wave wave-1",
            "parley bulletin carry --wave wave-1 --to wave-2"));
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Arguments arguments = invocation.arguments();
    BulletinText text = new BulletinText(invocation.out());
    CommandContext command = CommandContext.open(invocation);
    Bulletins bulletins = command.team().bulletins();
    switch (arguments.subcommand()) {
      case "list" -> text.waves(bulletins);
      case "post" -> post(invocation, command, bulletins, text);
      case "read" -> read(invocation, bulletins, text);
      case "carry" -> {
        String from = arguments.required(WAVE);
        String to = arguments.required(TO);
        text.carried(from, to, bulletins.carry(command.session(), from, to));
      }
      default -> {
        String wave = arguments.required(WAVE);
        String file = arguments.word(FILE);
        String content =
            Body.file(invocation, command.bus().limits(), "file", file == null ? "-" : file);
        text.scanned(wave, bulletins.scan(command.session(), wave, content));
      }
    }
    return ExitCode.OK;
  }

  private static void post(
      Invocation invocation, CommandContext command, Bulletins bulletins, BulletinText text)
      throws IOException {
    Arguments arguments = invocation.arguments();
    String wave = arguments.required(WAVE);
    Notice.Kind kind = Objects.requireNonNull(Notice.Kind.find(arguments.required(KIND)));
    if (kind != Notice.Kind.INTENT && arguments.has(PATH)) {
      throw ParleyException.invalid(
          "unexpected-option", "Only an intent has paths.", "Leave out --path.");
    }
    String body = Body.read(invocation, command.bus().limits(), arguments.required(BODY)).strip();
    text.posted(wave, bulletins.post(command.session(), wave, kind, body, arguments.values(PATH)));
  }

  private static void read(Invocation invocation, Bulletins bulletins, BulletinText text) {
    Arguments arguments = invocation.arguments();
    String wave = arguments.required(WAVE);
    boolean all = arguments.has(ALL);
    int cap = all ? Integer.MAX_VALUE : cap(invocation);
    String tokens = arguments.value(BUDGET);
    int budget =
        tokens != null
            ? IntOption.number(BUDGET.name(), tokens, 1, Integer.MAX_VALUE)
            : all ? Integer.MAX_VALUE : BulletinSelection.BUDGET;
    List<Listed> notices = bulletins.notices(wave);
    if (arguments.has(MARKDOWN)) {
      BulletinPage.of(wave, notices, cap, budget, "parley bulletin read --all --wave " + wave)
          .forEach(invocation.out()::line);
    } else {
      text.notices(wave, notices, cap, budget);
    }
  }

  private static int cap(Invocation invocation) {
    String typed = invocation.arguments().value(CAP);
    @Nullable String set = invocation.shell().variable(CAP_VARIABLE);
    if (typed != null) {
      return IntOption.number(CAP.name(), typed, 0, Integer.MAX_VALUE);
    }
    return set == null
        ? BulletinSelection.CAP
        : IntOption.number(CAP_VARIABLE, set, 0, Integer.MAX_VALUE);
  }
}
