package dev.parley.mcp.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.WorkingTree;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.wake.WakeLimit;
import dev.parley.coordination.wake.WakeWay;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.mcp.tools.AgentContext;
import dev.parley.mcp.tools.AgentSource;
import dev.parley.mcp.wake.Waker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fed with what hosts really send; answered in what they really obey. */
class HooksTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path temp;
  private Path repo;
  private Parley parley;
  private Agent bob;
  private AgentContext alice;
  private HookRules rules;

  @BeforeEach
  void begin() throws IOException {
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    Files.createDirectory(repo.resolve(".git"));
    Path bus = repo.resolve(".parley");
    parley = Parley.create(bus);
    bob = parley.join("bob");
    alice =
        new AgentContext(
            parley, new AgentSource(() -> parley.join("alice")), WorkingTree.of(repo, bus), bus);
    rules = new HookRules(alice, new JoinedSubAgents(alice));
  }

  @AfterEach
  void end() {
    parley.close();
  }

  private static LockRequest everywhere(String path) {
    return LockRequest.of(path).in("", true);
  }

  private String claudeWrite(String path, String more) {
    return ("{\"session_id\":\"5f0c\",\"transcript_path\":\"/home/u/.claude/projects/r/5f0c.jsonl\","
            + "\"cwd\":\"REPO\",\"prompt_id\":\"p\",\"permission_mode\":\"acceptEdits\","
            + "\"effort\":{\"level\":\"medium\"},\"hook_event_name\":\"PreToolUse\","
            + "\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"REPO/"
            + path
            + "\",\"content\":\"hi\"},\"tool_use_id\":\"toolu_1\""
            + more
            + "}")
        .replace("REPO", repo.toString());
  }

  private String codexPatch(String tool, String command) {
    return Json.object()
        .put("session_id", "0199")
        .put("turn_id", "0200")
        .put("cwd", repo.toString())
        .put("hook_event_name", "PreToolUse")
        .put("permission_mode", "bypassPermissions")
        .put("tool_name", tool)
        .put("tool_input", Json.object().put("command", command).build())
        .put("tool_use_id", "call_1")
        .build()
        .toString();
  }

  private Fields answer(Host host, String input) {
    HookEvent event = HookEvent.of(host, null, Fields.of(Json.parse(input)));
    return Fields.of(rules.answer(event).write(event));
  }

  @Test
  void claudeIsRefusedAnEditOfWhatBobHoldsWithHolderTimeAndWhatToDo() {
    var _ = bob.lock(everywhere("a.txt"));
    Fields output = answer(Host.CLAUDE, claudeWrite("a.txt", "")).object("hookSpecificOutput");
    assertThat(output.text("hookEventName")).isEqualTo("PreToolUse");
    assertThat(output.text("permissionDecision")).isEqualTo("deny");
    assertThat(output.text("permissionDecisionReason"))
        .contains("bob holds a.txt")
        .contains("until")
        .contains("is still right")
        .contains("send bob a question");
  }

  @Test
  void theFirstEditTakesThePathAndLaterOnesTakeNothingMore() {
    assertThat(answer(Host.CLAUDE, claudeWrite("src/b.txt", "")).values()).isEmpty();
    assertThat(parley.leases()).hasSize(1);
    assertThat(parley.leases().getFirst().holder()).isEqualTo("alice");
    assertThat(parley.leases().getFirst().paths().getFirst().toString()).isEqualTo("src/b.txt");
    long token = parley.leases().getFirst().token();
    assertThat(answer(Host.CLAUDE, claudeWrite("src/b.txt", "")).values()).isEmpty();
    assertThat(parley.leases()).hasSize(1);
    assertThat(parley.leases().getFirst().token()).isEqualTo(token);
  }

  @Test
  void aFileWithThePowersOfAPatternInItsNameIsJustThatFile() {
    assertThat(answer(Host.CLAUDE, claudeWrite("src/[id]*.ts", "")).values()).isEmpty();
    var _ = bob.lock(everywhere("src/i.ts"));
  }

  @Test
  void editsOutsideTheWorkingTreeAreNobodysBusiness() {
    String outside = claudeWrite("a.txt", "").replace(repo + "/a.txt", temp + "/elsewhere.txt");
    assertThat(answer(Host.CLAUDE, outside).values()).isEmpty();
    assertThat(parley.leases()).isEmpty();
  }

  @Test
  void everyPathOfACodexPatchCounts() {
    var _ = bob.lock(everywhere("held.txt"));
    String patch =
        """
        *** Begin Patch
        *** Add File: free.txt
        +hi
        *** Update File: old.txt
        *** Move to: held.txt
        @@
        -a
        +b
        *** End Patch
        """;
    Fields refused = answer(Host.CODEX, codexPatch("apply_patch", patch));
    assertThat(refused.object("hookSpecificOutput").text("permissionDecision")).isEqualTo("deny");
    assertThat(parley.leases()).as("all or none").hasSize(1);
    String shell = "set -e; apply_patch <<'EOF'\n" + patch + "EOF";
    assertThat(
            answer(Host.CODEX, codexPatch("Bash", shell))
                .object("hookSpecificOutput")
                .text("permissionDecision"))
        .isEqualTo("deny");
    assertThat(answer(Host.CODEX, codexPatch("Bash", "ls -l")).values()).isEmpty();
  }

  @Test
  void geminiCursorAndOpenCodeAreRefusedInTheirOwnForms() {
    var _ = bob.lock(everywhere("a.txt"));
    String input =
        claudeWrite("a.txt", "")
            .replace("\"PreToolUse\"", "\"BeforeTool\"")
            .replace("\"Write\"", "\"write_file\"");
    assertThat(answer(Host.GEMINI, input).text("decision")).isEqualTo("deny");
    assertThat(answer(Host.GEMINI, input).text("reason")).contains("bob holds a.txt");
    String cursor = claudeWrite("a.txt", "").replace("PreToolUse", "preToolUse");
    assertThat(answer(Host.CURSOR, cursor).text("permission")).isEqualTo("deny");
    assertThat(answer(Host.OPENCODE, claudeWrite("a.txt", "")).text("refusal"))
        .contains("bob holds a.txt");
  }

  @Test
  void aSubAgentIsSomebodyOfItsOwnUntilItEnds() {
    String sub = ",\"agent_id\":\"a8c0ffee12\",\"agent_type\":\"general-purpose\"";
    assertThat(answer(Host.CLAUDE, claudeWrite("a.txt", sub)).values()).isEmpty();
    assertThat(parley.leases().getFirst().holder()).isEqualTo("alice.a8c0ffee");
    assertThat(
            answer(Host.CLAUDE, claudeWrite("a.txt", ""))
                .object("hookSpecificOutput")
                .text("permissionDecision"))
        .isEqualTo("deny");
    var _ =
        answer(
            Host.CLAUDE,
            "{\"hook_event_name\":\"SubagentStop\",\"agent_id\":\"a8c0ffee12\",\"session_id\":\"5f0c\"}");
    assertThat(parley.leases()).isEmpty();
  }

  @Test
  void mailIsAnnouncedOnceAtTheNextPointAndCountsAsDeliveredNotAsSeen() {
    bob.mail().send(Draft.to("alice").says("", "secret body"));
    String prompt = "{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"go\"}";
    String context =
        answer(Host.CLAUDE, prompt).object("hookSpecificOutput").text("additionalContext", "");
    assertThat(context).isEqualTo("1 unread from bob: call inbox.");
    assertThat(bob.mail().sent().getLast().state()).isEqualTo("delivered");
    assertThat(answer(Host.CLAUDE, prompt).values()).isEmpty();
  }

  @Test
  void aStopIsAnsweredWithAReminderTwiceAtMostAndNeverWhileItGoesOnBecauseOfOne() {
    String question =
        bob.mail()
            .send(Draft.to("alice").type("question").says("", "port?").needsReply(null))
            .first()
            .id();
    alice.agent().mail().seen(alice.agent().mail().inbox(MailFilter.ANY));
    bob.tasks().add(Plan.of("1.1"), false);
    alice.agent().tasks().claim("1.1", TaskList.Terms.NONE);
    String stop = "{\"hook_event_name\":\"Stop\",\"stop_hook_active\":false}";
    String again = "{\"hook_event_name\":\"Stop\",\"stop_hook_active\":true}";
    assertThat(answer(Host.CODEX, again).values()).isEmpty();
    for (int i = 0; i < Reminders.MOST; i++) {
      Fields reminder = answer(Host.CODEX, stop);
      assertThat(reminder.text("decision")).isEqualTo("block");
      assertThat(reminder.text("reason")).contains(question).contains("1.1");
    }
    for (int i = 0; i < 20; i++) {
      assertThat(answer(Host.CODEX, stop).values()).isEmpty();
    }
  }

  @Test
  void theEndOfASessionGivesBackWhatItHeldAndTheNextStartTellsOfItsTask() {
    assertThat(answer(Host.CLAUDE, claudeWrite("a.txt", "")).values()).isEmpty();
    bob.tasks().add(Plan.of("1.1"), false);
    alice.agent().tasks().claim("1.1", TaskList.Terms.NONE);
    var _ = answer(Host.CLAUDE, "{\"hook_event_name\":\"SessionEnd\",\"reason\":\"exit\"}");
    assertThat(parley.leases()).isEmpty();
    String context =
        answer(Host.CLAUDE, "{\"hook_event_name\":\"SessionStart\",\"source\":\"resume\"}")
            .object("hookSpecificOutput")
            .text("additionalContext", "");
    assertThat(context).contains("You are alice").contains("task 1.1");
  }

  private boolean isDenied(Host host, String input) {
    return answer(host, input)
        .object("hookSpecificOutput")
        .text("permissionDecision", "")
        .equals("deny");
  }

  @Test
  void aPatchInAShellCommandIsMeantForTheFolderThatItGoesTo() throws IOException {
    var _ = bob.lock(everywhere("sub/held.txt"));
    Files.createDirectory(repo.resolve("sub"));
    String patch = "*** Begin Patch\n  *** Update File: held.txt\n@@\n-a\n+b\n*** End Patch\n";
    for (String go :
        List.of("cd sub && ", " cd 'sub' ; ", "cd \"sub\"\n", "cd " + repo + "/sub && ")) {
      String command = go + "apply_patch <<'EOF'\n" + patch + "EOF";
      assertThat(isDenied(Host.CODEX, codexPatch("Bash", command))).as(go).isTrue();
    }
    assertThat(isDenied(Host.CODEX, codexPatch("Bash", "apply_patch <<'EOF'\n" + patch + "EOF")))
        .as("another file of this name")
        .isFalse();
  }

  @Test
  void anEditInAWorktreeTakesThePathThereWhereverTheAgentWasStarted() throws IOException {
    Path worktree = Files.createDirectories(repo.resolve(".claude/worktrees/w"));
    Path part = Files.createDirectories(repo.resolve(".git/worktrees/w"));
    Files.writeString(worktree.resolve(".git"), "gitdir: " + part + "\n");
    String input = claudeWrite(".claude/worktrees/w/src/a.txt", "");
    assertThat(answer(Host.CLAUDE, input).values()).isEmpty();
    assertThat(parley.leases().getFirst().terms().tree()).isEqualTo(worktree.toString());
    assertThat(parley.leases().getFirst().paths().getFirst().toString()).isEqualTo("src/a.txt");
    assertThat(answer(Host.CLAUDE, input).values()).isEmpty();
    assertThat(parley.leases()).as("it is held").hasSize(1);
    var _ = bob.lock(everywhere("b.txt"));
    assertThat(isDenied(Host.CLAUDE, claudeWrite(".claude/worktrees/w/b.txt", ""))).isTrue();

    Path other = Files.createDirectories(repo.resolve("vendor/lib/.git")).getParent();
    assertThat(answer(Host.CLAUDE, claudeWrite("vendor/lib/b.txt", "")).values()).isEmpty();
    assertThat(parley.leases().getLast().terms().tree())
        .as("another repository in this one, " + other)
        .isEqualTo(repo.toString());
  }

  @Test
  void aLeaseIsRenewedByAnEditAndWhileTheAgentWorks() {
    alice.agent().lock(new LockRequest(List.of("a.txt"), false, "", true, MINUTE, null));
    Instant first = parley.leases().getFirst().until();
    var _ = answer(Host.CLAUDE, "{\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Bash\"}");
    Instant second = parley.leases().getFirst().until();
    assertThat(second).isAfter(first);
    assertThat(answer(Host.CLAUDE, claudeWrite("a.txt", "")).values()).isEmpty();
    assertThat(parley.leases().stream().map(Lease::until).max(Instant::compareTo).orElseThrow())
        .isAfter(second.plus(EditGuard.TIME.dividedBy(2)));
  }

  @Test
  void hooksSayThatTheAgentLivesOnceAMinuteAtMost() {
    long before = heartbeats();
    var _ = answer(Host.CLAUDE, "{\"hook_event_name\":\"SessionStart\"}");
    assertThat(heartbeats()).isEqualTo(before + 1);
    var _ = answer(Host.CLAUDE, "{\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Read\"}");
    assertThat(heartbeats()).isEqualTo(before + 1);
  }

  private long heartbeats() {
    AtomicLong count = new AtomicLong();
    WholeTopic.forEach(
        parley.bus().log(),
        Ledger.TOPIC,
        line -> {
          if (line.type().equals(LedgerTypes.HEARTBEAT) && line.sender().equals("alice")) {
            count.incrementAndGet();
          }
        });
    return count.get();
  }

  @Test
  void theGuardGoesOnWhenTheSessionHasEndedUnderTheServer() {
    var _ = bob.lock(everywhere("a.txt"));
    alice.agent().close();
    assertThat(isDenied(Host.CLAUDE, claudeWrite("a.txt", ""))).isTrue();
    alice.agent().close();
    assertThat(answer(Host.CLAUDE, claudeWrite("b.txt", "")).values()).isEmpty();
    assertThat(parley.leases()).extracting(Lease::holder).containsExactly("bob", "alice");
  }

  @Test
  void mailThatTheAgentWasWokenForInVainIsAnnouncedAgain() throws InterruptedException {
    Agent agent = alice.agent();
    agent.waking().way("claude", WakeWay.HOOK, null);
    agent
        .waking()
        .setLimits(
            agent.waking().now().limits().with(WakeLimit.GATHER, 0).with(WakeLimit.COOL_DOWN, 0));
    bob.mail().send(Draft.to("alice").says("", "x"));
    Waker waker = new Waker(agent);
    waker.delivered(waker.next(MINUTE));
    String prompt = "{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"go\"}";
    assertThat(answer(Host.CLAUDE, prompt).values()).as("it has the notice").isEmpty();

    bob.mail().send(Draft.to("alice").says("", "y"));
    waker.delivered(waker.next(MINUTE));
    agent.waking().setLimits(agent.waking().now().limits().with(WakeLimit.ANSWER, 0));
    assertThat(answer(Host.CLAUDE, prompt).object("hookSpecificOutput").text("additionalContext"))
        .isEqualTo("1 unread from bob: call inbox.");
    assertThat(answer(Host.CLAUDE, prompt).values()).as("once").isEmpty();
  }
}
