package dev.parley.mcp.tools;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.WorkingTree;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.mcp.protocol.CallHandler;
import dev.parley.mcp.protocol.Content;
import dev.parley.mcp.protocol.Reply;
import dev.parley.mcp.wake.Wakefulness;
import dev.parley.text.Explanation;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;

/**
 * The agent that the tools work for, and its place.
 *
 * @param busFolder the folder of the bus
 */
public record AgentContext(Parley parley, AgentSource source, WorkingTree tree, Path busFolder) {
  private static final int MOST_NAMES = 3;

  /** The error code for a session that has lost its name. */
  private static final String SESSION_ENDED = "session-ended";

  /** The agent that the tools work for. */
  public Agent agent() {
    return source.agent();
  }

  /** A tool's answer, with one line about mail that the model has not seen. */
  Reply answer(Json answer) {
    return answer(answer, List.of());
  }

  /**
   * The answer of a tool that shows mail, with one line about other mail.
   *
   * @param shown what the answer holds
   */
  Reply answer(Json answer, List<ReceivedMail> shown) {
    return Reply.content(content(answer, shown));
  }

  private List<Json> content(Json answer, List<ReceivedMail> shown) {
    Set<String> ids = new HashSet<>();
    shown.forEach(letter -> ids.add(letter.entry().id()));
    List<ReceivedMail> others =
        unread().stream().filter(letter -> !ids.contains(letter.entry().id())).toList();
    List<Json> content = new ArrayList<>();
    content.add(Content.text(answer.toString()));
    if (!others.isEmpty()) {
      content.add(Content.text(notice(others)));
    }
    return content;
  }

  /** Whether an agent can be woken now, and how. */
  Wakefulness wakefulness(String name) {
    return Wakefulness.of(busFolder, name, parley.wakes(name));
  }

  List<ReceivedMail> unread() {
    return agent().mail().inbox(MailFilter.ANY.unread(true));
  }

  /**
   * One line: how much mail there is, and from whom. It has validated names, and no text of the
   * mail.
   */
  public static String notice(List<ReceivedMail> unread) {
    SequencedSet<String> senders = new LinkedHashSet<>();
    unread.forEach(letter -> senders.add(letter.entry().from()));
    List<String> named = senders.stream().limit(MOST_NAMES).toList();
    return unread.size()
        + " unread from "
        + String.join(", ", named)
        + (senders.size() > named.size() ? " and others" : "")
        + ": call inbox.";
  }

  /** Wraps a handler that the agent itself calls. A call shows that an earlier wake worked. */
  CallHandler acting(CallHandler handler) {
    return call -> {
      agent().waking().acted();
      return handler.answer(call);
    };
  }

  /** Wraps a handler so that refusals become answers that the model can act on. */
  CallHandler guarded(CallHandler handler) {
    return call -> {
      try {
        return withSession(() -> handler.answer(call));
      } catch (ParleyException e) {
        Explanation why = Explanation.of(e, ToolSteps.STEPS, this::written);
        Json answer =
            Json.object()
                .put("error", e.code())
                .put("message", why.message())
                .put("next", why.next())
                .build();
        return Reply.failure(contentIfPossible(answer));
      }
    };
  }

  /** The content of an answer; without the line about mail if that can't be read. */
  private List<Json> contentIfPossible(Json answer) {
    try {
      return content(answer, List.of());
    } catch (ParleyException e) {
      return List.of(Content.text(answer.toString()));
    }
  }

  /** Something that needs a session. */
  public interface Action<T, E extends Exception> {
    T run() throws E;
  }

  /** Does something; once more, in a new session, if the session has ended meanwhile. */
  public <T, E extends Exception> T withSession(Action<T, E> action) throws E {
    Agent before = agent();
    try {
      return action.run();
    } catch (ParleyException e) {
      if (!e.code().equals(SESSION_ENDED)) {
        throw e;
      }
      source.again(before);
      return action.run();
    }
  }

  /** A ledger time for the model: wall-clock time in seconds. */
  public String written(Instant time) {
    return Timestamps.format(parley.shown(time).truncatedTo(ChronoUnit.SECONDS))
        .replace(".000000", "");
  }
}
