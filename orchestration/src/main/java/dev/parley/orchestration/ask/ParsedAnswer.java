package dev.parley.orchestration.ask;

import dev.parley.orchestration.prompt.PromptTemplate;
import dev.parley.orchestration.prompt.QuotedWords;
import dev.parley.orchestration.prompt.UnreadableAnswerException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parsed answer. If an answer can't be parsed, the agent is asked once more.
 *
 * @param value null if no answer could be parsed
 * @param answer the last answer
 * @param reason why there is no value; empty if there is one
 */
public record ParsedAnswer<T>(@Nullable T value, Answer answer, String reason) {
  private static final PromptTemplate AGAIN =
      PromptTemplate.resource(ParsedAnswer.class, "again.txt");
  private static final int TRIES = 2;

  /** How many characters of an unreadable answer the second prompt repeats. */
  private static final int LONGEST_AGAIN = 2_000;

  /** Parses an answer. */
  public interface Reader<T> {
    T read(String text) throws UnreadableAnswerException;
  }

  /** Asks, and parses the answer. */
  public static <T> ParsedAnswer<T> to(Asker asker, Ask ask, Reader<T> reader)
      throws InterruptedException {
    Answer answer = asker.ask(ask);
    String reason = "";
    for (int tries = 1; answer.ok(); tries++) {
      try {
        return new ParsedAnswer<>(reader.read(answer.text()), answer, "");
      } catch (UnreadableAnswerException e) {
        reason = e.reason();
      }
      if (tries == TRIES) {
        String twice = ask.agent() + "'s answer could not be read twice: " + reason;
        return new ParsedAnswer<>(null, answer, twice);
      }
      answer = asker.ask(again(ask, reason, answer.text()));
    }
    return new ParsedAnswer<>(null, answer, trouble(answer));
  }

  private static Ask again(Ask ask, String reason, String answer) {
    String shown =
        answer.length() <= LONGEST_AGAIN ? answer : answer.substring(0, LONGEST_AGAIN) + "…";
    String prompt =
        AGAIN.fill(
            Map.of(
                "prompt", ask.prompt().strip(),
                "reason", reason,
                "answer", QuotedWords.quote("your answer", shown)));
    return new Ask(
        ask.agent(), ask.stage(), prompt, ask.folder(), ask.environment(), ask.timeout());
  }

  private static String trouble(Answer answer) {
    String status = answer.status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return answer.agent() + " " + status + (answer.error().isEmpty() ? "" : ": " + answer.error());
  }
}
