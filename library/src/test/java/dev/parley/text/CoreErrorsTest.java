package dev.parley.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.core.AgentName;
import dev.parley.core.Bookmark;
import dev.parley.core.Limits;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Report;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Contents;
import dev.parley.core.store.Cursors;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Every error that core makes is a code with details, and has its words here. */
class CoreErrorsTest {
  private static final Topic NOTES = new Topic("notes");
  private static final String NAME_STEP =
      "Use letters, digits, _ and -, in parts joined by single dots, such as notes.build.";

  @Test
  void badTopicsSayWhatIsWrongWithThem() {
    said(
        () -> new Topic("../etc/passwd"),
        "The topic \"../etc/passwd\" is not valid: it has an empty part.",
        NAME_STEP);
    said(
        () -> new Topic("a\né\\\""),
        "The topic \"a\\u000a\\u00e9\\\"\" is not valid: a part has a character it may not have"
            + " there.",
        NAME_STEP);
    said(
        () -> new Topic("a".repeat(65)),
        "The topic \""
            + "a".repeat(65)
            + "\" is not valid: a part of 65 characters is longer than"
            + " 64.",
        NAME_STEP);
    said(
        () -> new Topic("a".repeat(201)),
        "The topic \"" + "a".repeat(80) + "…\" is not valid: 201 characters are more than 200.",
        NAME_STEP);
  }

  @Test
  void badNamesTypesAndKeysAreNamed() {
    said(
        () -> new AgentName("no name"),
        "The agent name \"no name\" is not valid.",
        "Use at most 64 letters, digits, _ and -, with single dots between, such as worker-1.2.");
    said(
        () -> Cursors.checkName("a/b"),
        "The cursor name \"a/b\" is not valid.",
        "Use letters, digits, _ and -, with single dots between.");
    said(
        () -> Message.of("bob", "", Json.EMPTY_OBJECT),
        "A type has 1 to 200 characters; this one has 0.",
        "Choose a short type such as note or task.result.");
    said(
        () -> Message.builder("bob", "note").extra("seq", Json.of(1)).build(),
        "An envelope has its own seq; it can't be given as an extra key.",
        "Use another key.");
  }

  @Test
  void limitsSayHowMuchIsTaken() {
    said(
        () -> new Limits(10, 64),
        "The limits maxLine 10 and maxDepth 64 are out of range.",
        "Use 1024 to 268435456 bytes and 2 to 512 levels.");
    said(
        () -> new Limits(1024, 64, 0),
        "The limit rememberedWriters 0 is out of range.",
        "Use 1 to 1048576.");
    try (MemoryLog log = new MemoryLog()) {
      said(
          () -> log.append(NOTES, Message.of("bob", "note", Json.of("x".repeat(1 << 20)))),
          "The message would be a line of 1048762 bytes; this bus takes at most 1048576 (maxLine).",
          "Put the content into a file and send its path, or raise maxLine in bus.json.");
      Json deep = Json.of(List.of(Json.parse("[".repeat(63) + "]".repeat(63))));
      said(
          () -> log.append(NOTES, Message.of("bob", "note", deep)),
          "The payload is nested too deep; this bus takes 64 levels (maxDepth).",
          "Send a flatter value, or the content as text.");
    }
  }

  @Test
  void contentsSayWhatIsMissingOrTooLong() {
    Contents contents = Contents.inMemory(10);
    said(
        () -> contents.store(new byte[11]),
        "The body is longer than 10 bytes, the most this bus keeps (maxContent).",
        "Put it into a file and send its path, or raise maxContent in bus.json.");
    String digest = Contents.digest(new byte[1]);
    said(
        () -> contents.load(digest),
        "The content " + digest + " is not there any more.",
        "Ask the sender to send it again.");
    said(
        () -> contents.load("../x"),
        "\"../x\" is not the digest of a content.",
        "A digest is sha256: and 64 digits.");
  }

  @Test
  void lostPlacesAndClosedLogsSayWhatToDo() {
    MemoryLog log = new MemoryLog();
    Position nine = new Position(9);
    ParleyException lost =
        said(
            () -> log.read(NOTES, Bookmark.at(nine), 1),
            "notes@9 is not a place in this topic: the topic ends before it.",
            "Read the topic again from the start.");
    said(
        () -> {
          throw new LostPlaceException(NOTES, nine, new Position(4));
        },
        "notes@9 is not a place in this topic: the topic ends at 4.",
        "Read the topic again from the start.");
    Report replaced = new Report.Replaced(NOTES, (LostPlaceException) lost);
    assertThat(replaced.describe(Explanation::messageOf))
        .isEqualTo(
            "topic notes is read again from the start: notes@9 is not a place in this topic: the"
                + " topic ends before it.");
    log.close();
    said(() -> log.end(NOTES), "The log is closed.", "Open it again.");
  }

  private static ParleyException said(ThrowingCallable call, String message, String next) {
    ParleyException error = catchThrowableOfType(ParleyException.class, call);
    assertThat(error).as(message).isNotNull();
    assertThat(error.isWorded()).as(message).isFalse();
    assertThat(Explanation.of(error)).isEqualTo(new Explanation(message, next));
    return error;
  }
}
