package dev.parley.mcp.wake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Types into a real tmux. */
class TmuxPaneTest {
  private static final String NOTICE = "Parley: 2 unread from bob: call inbox.";

  /** A server that ends takes a moment, so each test has one of its own. */
  private static final AtomicInteger SERVERS = new AtomicInteger();

  private final List<String> server =
      List.of(
          "tmux",
          "-L",
          "parley-test-" + ProcessHandle.current().pid() + "-" + SERVERS.incrementAndGet());

  private String tmux(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(server);
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return out;
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    tmux("kill-server");
  }

  /** A pane in which a script runs, once it shows something. */
  private String pane(String script, String shows) throws Exception {
    try {
      tmux("-f", "/dev/null", "new-session", "-d", "-x", "60", "-y", "20", "sh", "-c", script);
    } catch (IOException e) {
      Assumptions.abort("there is no tmux here");
    }
    Awaitility.await().until(() -> screen().contains(shows));
    return "%0";
  }

  private String screen() throws IOException, InterruptedException {
    return tmux("capture-pane", "-p", "-t", "%0");
  }

  @Test
  void aNoticeIsTypedAtAnEmptyPromptAndEntered() throws Exception {
    String pane = pane("while printf '> '; read -r line; do echo \"got: $line\"; done", ">");

    new TmuxPane(server, pane).wake(NOTICE);

    Awaitility.await().until(() -> screen().contains("got: " + NOTICE));
  }

  @Test
  void whatAPersonHasBegunToTypeIsLeftAlone() throws Exception {
    String pane = pane("while printf '> '; read -r line; do echo \"got: $line\"; done", ">");
    tmux("send-keys", "-t", pane, "-l", "please wai");
    Awaitility.await().until(() -> screen().contains("please wai"));

    assertThatThrownBy(() -> new TmuxPane(server, pane).wake(NOTICE))
        .hasMessage("person-is-typing");

    assertThat(screen().strip()).isEqualTo("> please wai");
  }

  @Test
  void aDialogThatTakesNoTextIsNotAnswered() throws Exception {
    String pane =
        pane("stty -echo; printf 'Delete everything? '; read -r answer; echo answered", "Delete");

    assertThatThrownBy(() -> new TmuxPane(server, pane).wake(NOTICE))
        .isInstanceOf(CannotWakeException.class);

    assertThat(screen()).doesNotContain("answered");
  }

  @Test
  void aMenuThatDrawsNothingOfWhatIsTypedIsNotConfirmed() throws Exception {
    String pane =
        pane("stty -echo; printf '[x] Yes\\n[ ] No\\n'; read -r answer; echo answered", "No");

    assertThatThrownBy(() -> new TmuxPane(server, pane).wake(NOTICE))
        .hasMessage("pane-takes-no-text");

    assertThat(screen()).doesNotContain("answered");
  }

  @Test
  void aPaneThatIsAtWorkIsNotDisturbed() throws Exception {
    String pane = pane("while :; do date +%N; done", "1");

    assertThatThrownBy(() -> new TmuxPane(server, pane).wake(NOTICE)).hasMessage("pane-busy");
  }

  @Test
  void aPaneThatIsGoneIsSaidToBe() throws Exception {
    var _ = pane("echo here; sleep 60", "here");

    assertThatThrownBy(() -> new TmuxPane(server, "%7").wake(NOTICE)).hasMessage("no-such-pane");
  }
}
