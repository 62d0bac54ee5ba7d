package dev.parley.mcp.hook;

import dev.parley.coordination.ledger.Sessions.Beat;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.task.Task;
import dev.parley.mcp.tools.AgentContext;
import dev.parley.mcp.wake.Waker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What happens at each point of an agent's work.
 *
 * <pre>
 * event          what is done
 * -------------  -------------------------------------------------------------------------------
 * session start  the model is told its name, what it holds still, and of unread mail
 * prompt         of mail it was not told of yet, once; again if it was woken for it in vain
 * before a tool  an edit of a path that somebody else holds is refused; otherwise the path is taken
 * after a tool   of mail as above; what it holds is kept up
 * stop           of mail as above, and of unanswered questions and unfinished tasks, each twice at
 *                  most; never if it goes on only because of a hook
 * sub-agent end  its session ends
 * session end    what it holds is given back
 * </pre>
 */
public final class HookRules {
  private static final long BEAT_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Events that only happen while the agent is working. */
  private static final Set<HookEvent.Kind> ACTIONS =
      Set.of(
          HookEvent.Kind.PROMPT,
          HookEvent.Kind.BEFORE_TOOL,
          HookEvent.Kind.AFTER_TOOL,
          HookEvent.Kind.STOP);

  private final AgentContext agent;
  private final SubAgents subAgents;
  private final Reminders reminders;
  private final AtomicLong lastBeat = new AtomicLong(System.nanoTime() - BEAT_NANOS);

  public HookRules(AgentContext agent, SubAgents subAgents) {
    this.agent = agent;
    this.subAgents = subAgents;
    this.reminders = new Reminders(agent.busFolder(), agent.agent().name());
  }

  /**
   * Performs an event's actions and returns the answer.
   *
   * @throws dev.parley.core.ParleyException if the bus can't be reached
   */
  public HookAnswer answer(HookEvent event) {
    return agent.withSession(() -> answerOnce(event));
  }

  private HookAnswer answerOnce(HookEvent event) {
    List<String> missed = agent.agent().waking().missed();
    if (ACTIONS.contains(event.kind())) {
      agent.agent().waking().acted();
    }
    return switch (event.kind()) {
      case SESSION_START -> started(missed);
      case PROMPT -> HookAnswer.context(news(missed));
      case BEFORE_TOOL -> beforeTool(event);
      case AFTER_TOOL -> {
        AgentContext who = who(event);
        beat();
        EditGuard.renew(who);
        yield HookAnswer.context(event.subAgent().isEmpty() ? news(missed) : null);
      }
      case STOP -> stop(event, missed);
      case SUBAGENT_STOP -> {
        if (!event.subAgent().isEmpty()) {
          subAgents.end(event.subAgent());
        }
        yield HookAnswer.NOTHING;
      }
      case SESSION_END -> {
        var _ = agent.agent().locks().releaseAll();
        var _ = agent.agent().heartbeat(new Beat(null, null, null, "its host has ended"));
        yield HookAnswer.NOTHING;
      }
      case WORKTREE_CREATE, WORKTREE_REMOVE, OTHER -> HookAnswer.NOTHING;
    };
  }

  private AgentContext who(HookEvent event) {
    return event.subAgent().isEmpty() ? agent : subAgents.joined(event.subAgent());
  }

  private HookAnswer beforeTool(HookEvent event) {
    if (event.paths().isEmpty()) {
      return HookAnswer.NOTHING;
    }
    Path folder = event.folder() == null ? Path.of(agent.tree().name()) : event.folder();
    AgentContext who = who(event);
    return who.withSession(() -> {
      String refusal = EditGuard.refusal(who, folder, event.paths());
      return refusal == null ? HookAnswer.NOTHING : HookAnswer.refuse(refusal);
    });
  }

  private HookAnswer started(List<String> missed) {
    beat();
    StringBuilder text = new StringBuilder();
    text.append("You are ").append(agent.agent().name()).append(" on Parley.");
    List<String> tasks = ownTasks();
    if (!tasks.isEmpty()) {
      text.append(" You hold from before: task ")
          .append(String.join(", ", tasks))
          .append(". Go on with it, or call task release.");
    }
    String news = news(missed);
    return HookAnswer.context(news == null ? text.toString() : text + " " + news);
  }

  private HookAnswer stop(HookEvent event, List<String> missed) {
    if (event.again()) {
      return HookAnswer.NOTHING;
    }
    beat();
    List<String> reasons = new ArrayList<>();
    String news = news(missed);
    if (news != null) {
      reasons.add(news);
    }
    List<String> questions = reminders.due(unanswered());
    if (!questions.isEmpty()) {
      reasons.add(
          "Unanswered: "
              + String.join(", ", questions)
              + ". Answer with send reply_to, or end it with inbox done.");
    }
    List<String> tasks = reminders.due(ownTasks());
    if (!tasks.isEmpty()) {
      reasons.add(
          "Unfinished: task "
              + String.join(", ", tasks)
              + ". End it with task done or fail, or give it back with release.");
    }
    return reasons.isEmpty()
        ? HookAnswer.NOTHING
        : HookAnswer.goOn("Parley: " + String.join(" ", reasons));
  }

  /** The ids of questions that the agent has seen but not answered. */
  private List<String> unanswered() {
    return agent.agent().mail().inbox(MailFilter.ANY).stream()
        .map(ReceivedMail::entry)
        .filter(entry -> entry.needsReply() && entry.has(DeliveryState.SEEN) && !entry.hasEnded())
        .map(entry -> entry.id())
        .toList();
  }

  private List<String> ownTasks() {
    String name = agent.agent().name();
    return agent.parley().tasks().stream()
        .filter(task -> task.state().hasOwner() && name.equals(task.owner()))
        .map(Task::id)
        .toList();
  }

  /**
   * One line on mail that the agent was not told of yet; null if there is none. It counts as
   * delivered: the program has it, the model has not seen it.
   *
   * @param missed ids of mail for which the agent was woken, and did nothing: it is told again
   */
  private @Nullable String news(List<String> missed) {
    List<String> again = missed.isEmpty() ? missed : reminders.due(missed);
    List<ReceivedMail> unread =
        agent.agent().mail().inbox(MailFilter.ANY.unread(true)).stream()
            .filter(letter -> Waker.isNews(letter) || again.contains(letter.entry().id()))
            .toList();
    if (unread.isEmpty()) {
      return null;
    }
    agent.agent().mail().delivered(unread);
    return AgentContext.notice(unread);
  }

  /** Marks the agent as alive, at most once a minute. */
  private void beat() {
    long now = System.nanoTime();
    long last = lastBeat.get();
    if (now - last >= BEAT_NANOS && lastBeat.compareAndSet(last, now)) {
      var _ = agent.agent().heartbeat(Beat.ALIVE);
    }
  }
}
