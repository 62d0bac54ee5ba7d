package dev.parley.orchestration.meeting;

import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.work.BoardService.Speech;
import dev.parley.core.json.Json;
import dev.parley.orchestration.prompt.JsonInText;
import dev.parley.orchestration.prompt.UnreadableAnswerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses directors' answers. It is tolerant of form: a code fence, words around the object, another
 * word for a verdict, a single text instead of a list. It is strict about content: a missing
 * verdict or score is never made up.
 */
final class DirectorAnswers {
  /** How many characters a remark may have in the ledger. */
  private static final int LONGEST_MESSAGE = 20_000;

  private DirectorAnswers() {}

  /** An answer whether a condition of an earlier session is met. */
  record ConditionAnswer(String id, boolean met, String note) {}

  static Assessment assessment(String text) throws UnreadableAnswerException {
    Fields answer = object(text, "verdict");
    Opinion opinion =
        switch (word(answer, "verdict")) {
          case "APPROVE", "APPROVED", "YES" -> Opinion.APPROVE;
          case "CONCERNS", "CONCERN", "APPROVE_WITH_CONCERNS" -> Opinion.CONCERNS;
          case "REJECT", "REJECTED", "NO" -> Opinion.REJECT;
          case String other -> throw unreadable("the verdict is \"" + other + "\"");
        };
    return new Assessment(
        opinion,
        score(answer.json("score")),
        items(answer, "concerns"),
        items(answer, "recommendations"));
  }

  static List<ConditionAnswer> conditions(String text) throws UnreadableAnswerException {
    List<ConditionAnswer> all = new ArrayList<>();
    for (Fields each : object(text, "verdict").objects("conditions_met")) {
      all.add(
          new ConditionAnswer(each.text("id", ""), each.flag("met"), cut(each.text("note", ""))));
    }
    return all;
  }

  static Speech speech(String text, List<String> electors, String speaker)
      throws UnreadableAnswerException {
    Fields answer = object(text, "message");
    String message = answer.text("message", "").strip();
    if (message.isEmpty()) {
      throw unreadable("the message is empty");
    }
    String kind = word(answer, "type");
    String to = answer.text("to", Statement.ALL).strip();
    String addressee =
        electors.stream()
            .filter(elector -> elector.equalsIgnoreCase(to) && !elector.equals(speaker))
            .findFirst()
            .orElse(Statement.ALL);
    for (Statement.Kind each : Statement.Kind.values()) {
      if (each.name().equals(kind)) {
        String body =
            message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE);
        return new Speech(addressee, each, body, answer.flag("changes_my_verdict"));
      }
    }
    throw unreadable("the type is \"" + kind + "\"");
  }

  static Ballot ballot(String text) throws UnreadableAnswerException {
    Fields answer = object(text, "final_verdict");
    Vote vote =
        switch (word(answer, "final_verdict")) {
          case "APPROVE", "APPROVED", "YES" -> Vote.APPROVE;
          case "REJECT", "REJECTED", "NO" -> Vote.REJECT;
          case "ABSTAIN", "ABSTAINED" -> Vote.ABSTAIN;
          case String other -> throw unreadable("the final verdict is \"" + other + "\"");
        };
    Confidence confidence = Confidence.of(number(answer.json("confidence")));
    if (confidence == null) {
      throw unreadable("the confidence is not a number from 0 to 1");
    }
    return new Ballot(
        vote, confidence, items(answer, "conditions"), cut(answer.text("reason", "").strip()));
  }

  /** The last object with the field, because models think aloud before they answer. */
  private static Fields object(String text, String field) throws UnreadableAnswerException {
    List<Json> objects = JsonInText.objects(text);
    for (Json object : objects.reversed()) {
      if (object.fields().containsKey(field)) {
        return Fields.of(object);
      }
    }
    throw unreadable(
        objects.isEmpty()
            ? "there is no JSON object in it"
            : "the field \"" + field + "\" is missing");
  }

  private static String word(Fields answer, String field) {
    return answer.text(field, "").strip().toUpperCase(Locale.ROOT).replace(' ', '_');
  }

  private static int score(@Nullable Json score) throws UnreadableAnswerException {
    Json number = number(score);
    String written = number == null ? "" : number.toString();
    if (written.matches("([1-9]|10)([.]0)?")) {
      return (int) Double.parseDouble(written);
    }
    throw unreadable("the score is not a whole number from 1 to 10");
  }

  /** A number alone or in a text such as "7" or "7/10". */
  private static @Nullable Json number(@Nullable Json json) {
    String text = json == null ? null : json.text();
    if (text == null) {
      return json;
    }
    String digits = text.strip().replaceFirst("\\s*/\\s*10$", "");
    return digits.matches("[0-9]{1,2}([.][0-9]{1,6})?") ? Json.parse(stripped(digits)) : null;
  }

  /** Removes leading zeros, which JSON does not allow. */
  private static String stripped(String digits) {
    return digits.replaceFirst("^0+(?=[0-9])", "");
  }

  private static List<String> items(Fields answer, String field) {
    String single = answer.text(field);
    List<Json> items = single == null ? answer.items(field) : List.of(Json.of(single));
    return items.stream()
        .map(DirectorAnswers::item)
        .filter(item -> !item.isBlank())
        .limit(Assessment.MOST_ITEMS)
        .toList();
  }

  /** An item is a text, or an object that has the texts. */
  private static String item(Json item) {
    String text = item.text();
    if (text == null && item.isObject()) {
      List<String> texts = new ArrayList<>();
      item.fields()
          .values()
          .forEach(value -> {
            String each = value.text();
            if (each != null) {
              texts.add(each);
            }
          });
      text = String.join(": ", texts);
    }
    return cut(text == null ? "" : text.strip());
  }

  private static String cut(String text) {
    return text.length() <= Assessment.LONGEST_ITEM
        ? text
        : text.substring(0, Assessment.LONGEST_ITEM - 1) + "…";
  }

  private static UnreadableAnswerException unreadable(String reason) {
    return new UnreadableAnswerException(reason);
  }
}
