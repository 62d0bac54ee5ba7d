package dev.parley.cli;

import dev.parley.cli.agents.AgentsCommand;
import dev.parley.cli.agents.AskCommand;
import dev.parley.cli.agents.AutoReviewCommand;
import dev.parley.cli.agents.ConsensusCommand;
import dev.parley.cli.agents.RunsCommand;
import dev.parley.cli.board.BoardCommand;
import dev.parley.cli.bulletin.BulletinCommand;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Commands;
import dev.parley.cli.command.Init;
import dev.parley.cli.command.Publish;
import dev.parley.cli.command.Topics;
import dev.parley.cli.config.ConfigCommand;
import dev.parley.cli.demo.Demo;
import dev.parley.cli.demo.DemoAgent;
import dev.parley.cli.doctor.Doctor;
import dev.parley.cli.gear.FlowCommand;
import dev.parley.cli.guard.GuardCommand;
import dev.parley.cli.help.Complete;
import dev.parley.cli.help.Completion;
import dev.parley.cli.help.Help;
import dev.parley.cli.help.Version;
import dev.parley.cli.hook.HookCommand;
import dev.parley.cli.install.Install;
import dev.parley.cli.journal.Journal;
import dev.parley.cli.keys.KeysCommand;
import dev.parley.cli.mail.Inbox;
import dev.parley.cli.mail.ReplyCommand;
import dev.parley.cli.mail.Send;
import dev.parley.cli.mail.Show;
import dev.parley.cli.mail.WaitCommand;
import dev.parley.cli.mcp.McpCommand;
import dev.parley.cli.mcp.ServeCommand;
import dev.parley.cli.mount.BridgeCommand;
import dev.parley.cli.mount.MountCommand;
import dev.parley.cli.runners.LoopCommand;
import dev.parley.cli.runners.ModerateCommand;
import dev.parley.cli.runners.WavesCommand;
import dev.parley.cli.setup.SetupCommand;
import dev.parley.cli.swarm.SessionCommand;
import dev.parley.cli.tail.Tail;
import dev.parley.cli.tail.Watch;
import dev.parley.cli.team.Heartbeat;
import dev.parley.cli.team.Join;
import dev.parley.cli.team.Leave;
import dev.parley.cli.team.StatusCommand;
import dev.parley.cli.team.Who;
import dev.parley.cli.trust.TrustCommand;
import dev.parley.cli.wake.WakeCommand;
import dev.parley.cli.work.Lock;
import dev.parley.cli.work.LocksCommand;
import dev.parley.cli.work.RunCommand;
import dev.parley.cli.work.TaskCommand;
import dev.parley.cli.work.Unlock;
import dev.parley.cli.work.WaitsCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All commands. A command's class is loaded only when the command is named. */
public final class CommandRegistry implements Commands {
  private static final List<String> NAMES =
      List.of(
          "status",
          "init",
          "join",
          "leave",
          "who",
          "watch",
          "heartbeat",
          "send",
          "reply",
          "inbox",
          "wait",
          "show",
          "lock",
          "unlock",
          "locks",
          "task",
          "waits",
          "run",
          "ask",
          "consensus",
          "auto-review",
          "agents",
          "runs",
          LoopCommand.NAME,
          WavesCommand.NAME,
          ModerateCommand.NAME,
          "board",
          "bulletin",
          "mount",
          BridgeCommand.NAME,
          SessionCommand.NAME,
          FlowCommand.NAME,
          "journal",
          "mcp",
          "serve",
          WakeCommand.NAME,
          "setup",
          "guard",
          "hook",
          "doctor",
          "trust",
          KeysCommand.NAME,
          "config",
          "demo",
          "help",
          "version",
          "install",
          "completion",
          "publish",
          "tail",
          "topics");

  @Override
  public List<String> names() {
    return NAMES;
  }

  @Override
  public @Nullable Command named(String name) {
    return switch (name) {
      case "publish" -> new Publish();
      case "status" -> new StatusCommand();
      case "send" -> new Send();
      case "reply" -> new ReplyCommand();
      case "inbox" -> new Inbox();
      case "wait" -> new WaitCommand();
      case "show" -> new Show();
      case "join" -> new Join();
      case "leave" -> new Leave();
      case "who" -> new Who();
      case "heartbeat" -> new Heartbeat();
      case "lock" -> new Lock();
      case "unlock" -> new Unlock();
      case "locks" -> new LocksCommand();
      case "task" -> new TaskCommand();
      case "waits" -> new WaitsCommand();
      case "run" -> new RunCommand();
      case "ask" -> new AskCommand();
      case "consensus" -> new ConsensusCommand();
      case "auto-review" -> new AutoReviewCommand();
      case "agents" -> new AgentsCommand();
      case "runs" -> new RunsCommand();
      case LoopCommand.NAME, LoopCommand.ALIAS -> new LoopCommand(name);
      case WavesCommand.NAME, WavesCommand.ALIAS -> new WavesCommand(name);
      case ModerateCommand.NAME -> new ModerateCommand();
      case "board" -> new BoardCommand();
      case "bulletin" -> new BulletinCommand();
      case "tail" -> new Tail();
      case "watch" -> new Watch();
      case "topics" -> new Topics();
      case "init" -> new Init();
      case "mount" -> new MountCommand();
      case BridgeCommand.NAME -> new BridgeCommand();
      case SessionCommand.NAME -> new SessionCommand();
      case WakeCommand.NAME -> new WakeCommand();
      case "setup" -> new SetupCommand();
      case "config" -> new ConfigCommand();
      case "guard" -> new GuardCommand();
      case "hook" -> new HookCommand();
      case "serve" -> new ServeCommand();
      case "mcp" -> new McpCommand();
      case FlowCommand.NAME -> new FlowCommand();
      case "journal" -> new Journal();
      case "doctor" -> new Doctor();
      case "trust" -> new TrustCommand();
      case KeysCommand.NAME -> new KeysCommand();
      case "demo" -> new Demo();
      case DemoAgent.NAME -> new DemoAgent();
      case "help" -> new Help();
      case "version" -> new Version();
      case Complete.NAME -> new Complete();
      case "install" -> new Install();
      case "completion" -> new Completion();
      default -> null;
    };
  }
}
