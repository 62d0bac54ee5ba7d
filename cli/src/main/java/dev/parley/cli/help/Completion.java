package dev.parley.cli.help;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.core.json.Json;
import java.util.List;

/** Prints a script that teaches a shell to complete what is typed after {@code parley}. */
public final class Completion implements Command {
  private static final Parameter SHELL =
      Parameter.required("shell", "your shell").choices("bash", "zsh", "fish");

  @Override
  public Description description() {
    return new Description(
        "completion",
        Group.CONNECT,
        "print a completion script for your shell",
        "Prints a script for your shell that completes commands, sub-commands, options and their"
            + " values, and the agents, tasks, boards, messages and topics of the bus. Load it when"
            + " the shell starts, as the examples show.",
        List.of(SHELL),
        List.of(),
        List.of(
            "echo 'eval \"$(parley completion bash)\"' >> ~/.bashrc",
            "parley completion zsh > ~/.zfunc/_parley   # with ~/.zfunc in fpath",
            "parley completion fish > ~/.config/fish/completions/parley.fish"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) {
    String shell = invocation.arguments().required(SHELL);
    String script =
        switch (shell) {
          case "bash" -> CompletionScripts.BASH;
          case "zsh" -> CompletionScripts.ZSH;
          default -> CompletionScripts.FISH;
        };
    if (invocation.out().isJson()) {
      invocation.out().line(Json.object().put("shell", shell).put("script", script).build());
    } else {
      invocation.out().line(script.stripTrailing());
    }
    return ExitCode.OK;
  }
}
