package dev.parley.cli;

import dev.parley.cli.command.Command;
import dev.parley.cli.command.Commands;
import dev.parley.cli.command.Doctor;
import dev.parley.cli.command.Init;
import dev.parley.cli.command.Publish;
import dev.parley.cli.command.Topics;
import dev.parley.cli.demo.Demo;
import dev.parley.cli.demo.DemoAgent;
import dev.parley.cli.help.Completion;
import dev.parley.cli.help.Help;
import dev.parley.cli.install.Install;
import dev.parley.cli.tail.Tail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All commands. A class is loaded when its command is named, and no sooner. */
final class Catalogue implements Commands {
  private static final List<String> NAMES =
      List.of(
          "init", "doctor", "demo", "help", "install", "completion", "publish", "tail", "topics");

  @Override
  public List<String> names() {
    return NAMES;
  }

  @Override
  public @Nullable Command named(String name) {
    return switch (name) {
      case "publish" -> new Publish();
      case "tail" -> new Tail();
      case "topics" -> new Topics();
      case "init" -> new Init();
      case "doctor" -> new Doctor();
      case "demo" -> new Demo();
      case DemoAgent.NAME -> new DemoAgent();
      case "help" -> new Help();
      case "install" -> new Install();
      case "completion" -> new Completion();
      default -> null;
    };
  }
}
