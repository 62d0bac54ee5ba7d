package dev.parley.dialects.gear;

import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.core.AgentName;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.file.IndentedJson;
import dev.parley.dialects.message.ForeignMessage;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.Mirror;
import dev.parley.dialects.sync.MirrorState.FilePlace;
import dev.parley.dialects.sync.OutgoingMessage;
import dev.parley.dialects.sync.SyncPass;
import dev.parley.text.Explanation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Mirrors the history of a project: a file with one JSON array of messages.
 *
 * <pre>
 * new message in the array              becomes mail of its recipient, in the project's run
 * message with a known id               nothing
 * answer to an open request             also ends the request: same correlation id, and sent by
 *                                         the agent that was asked
 * request without an answer in time     gets an agent_error in the name of that agent, which is
 *                                         added to the array
 * mail for an agent of the array        is added to the array
 * </pre>
 *
 * <p>The design has no lock for this file, because its program keeps the history in memory. So the
 * messages in the file at the moment of a replacement are kept, and nothing more is promised.
 */
public final class HistoryMirror implements Mirror {
  private static final String PLACE = "history";

  /** A file that is not an array may be in the middle of a write for this long. */
  private static final Duration UNSETTLED = Duration.ofSeconds(1);

  private final Path file;
  private final BusAccess access;
  private final String project;
  private byte[] last = {};

  /** When the first open request is overdue. */
  private Instant due = Instant.MAX;

  /**
   * @param project the run of messages that name no {@code project} themselves
   */
  public HistoryMirror(Path file, String project, BusAccess access) {
    this.file = file;
    this.access = access;
    this.project = project;
  }

  /** Creates an empty history unless there is one. */
  public static void create(Path file) {
    ForeignFile.createFolderOf(file);
    ForeignFile.create(file, "[]\n".getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public List<Path> folders() {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? List.of() : List.of(folder);
  }

  @Override
  public void exchange(SyncPass pass) {
    byte[] content = ForeignFile.read(file);
    boolean isQuiet = pass.outgoing().isEmpty() && access.owner().wall().isBefore(due);
    if (isQuiet && content.length > 0 && Arrays.equals(content, last)) {
      return;
    }
    List<Json> items = items(content);
    if (items == null) {
      remarkUnlessFresh();
      pass.outgoing()
          .forEach(mail -> pass.postpone(Mailbox.mailOf(String.valueOf(mail.recipient()))));
      return;
    }
    boolean known = pull(pass, items);
    push(pass, items);
    endSilence(pass, items);
    last = known ? content : new byte[0];
  }

  /** Adds an error for each request of the array that is overdue. */
  private void endSilence(SyncPass pass, List<Json> items) {
    Instant now = access.owner().wall();
    Map<String, Json> errors = new LinkedHashMap<>();
    due = Instant.MAX;
    for (AgentMessage request : messages(items, remark -> {})) {
      Instant deadline = request == null ? null : openUntil(pass, request);
      if (request != null && deadline != null && deadline.isAfter(now)) {
        due = deadline.isBefore(due) ? deadline : due;
      } else if (request != null && deadline != null) {
        AgentMessage error = request.silence(GearMessageBus.RESPONSE_WITHIN);
        errors.put(error.messageId(), error.toJson());
      }
    }
    if (!errors.isEmpty() && append(errors)) {
      pass.again();
    }
  }

  /** The deadline of a request in its recipient's mailbox; null if it is not open there. */
  private @Nullable Instant openUntil(SyncPass pass, AgentMessage request) {
    if (!request.requiresResponse() || !AgentName.isValid(request.toAgent())) {
      return null;
    }
    return access.deputy().inbox(request.toAgent()).stream()
        .filter(entry -> entry.needsReply() && entry.from().equals(request.fromAgent()))
        .filter(entry -> request.messageId().equals(pass.state().foreignIdOf(entry.id())))
        .map(MailboxEntry::deadline)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private void remarkUnlessFresh() {
    Instant written = ForeignFile.stamp(file).taken();
    var modified = ForeignFile.stamp(file).modified();
    if (modified == null || modified.toInstant().plus(UNSETTLED).isBefore(written)) {
      access.remarks().accept(new FileRemark(file, 0, false, "is not a JSON array"));
    }
  }

  /** The entries; empty if the file is blank, null if it is not an array. */
  private static @Nullable List<Json> items(byte[] content) {
    if (new String(content, StandardCharsets.UTF_8).isBlank()) {
      return List.of();
    }
    try {
      Json json = Json.parse(content, Json.DEFAULT_DEPTH);
      return json.isArray() ? json.items() : null;
    } catch (JsonException e) {
      return null;
    }
  }

  /** Stores what is new; false if something is, so that another look is needed. */
  private boolean pull(SyncPass pass, List<Json> items) {
    FilePlace place = pass.state().place(PLACE);
    int read = (int) Math.min(place.offset(), items.size());
    Set<String> known = new HashSet<>();
    if (!place.equals(FilePlace.START) && !proof(items, read).equals(place.proof())) {
      known =
          pass.everPulled(access.topic()); // changed before the noted place: ids tell what is new
      read = 0;
    }
    Set<String> ours =
        pass.outgoing().stream()
            .map(mail -> codec(project).fromLog(mail.envelope()).messageId())
            .collect(Collectors.toSet());
    List<@Nullable AgentMessage> messages = messages(items, access.remarks());
    int at = read;
    while (at < items.size() && !pass.isFull()) {
      AgentMessage message = messages.get(at);
      if (message != null) {
        String id = message.messageId();
        boolean isOurs = ours.contains(id) || pass.state().isPushed(id) || known.contains(id);
        if (!isOurs && !pass.isPulled(id)) {
          pull(pass, message, messages.subList(at + 1, messages.size()));
        }
      }
      at++;
    }
    pass.read(PLACE, new FilePlace(at, proof(items, at)));
    if (at < items.size()) {
      pass.again();
    }
    return at == items.size() && at == read;
  }

  private static String proof(List<Json> items, int count) {
    StringBuilder all = new StringBuilder();
    items.subList(0, count).forEach(item -> all.append(item).append('\n'));
    return Fingerprint.hex(all.toString(), 32);
  }

  /** The parsed entries; null for an entry that is not a message, which is reported. */
  private List<@Nullable AgentMessage> messages(List<Json> items, Consumer<FileRemark> remarks) {
    List<@Nullable AgentMessage> messages = new ArrayList<>();
    for (Json item : items) {
      AgentMessage message = null;
      try {
        message = AgentMessage.parse(item);
      } catch (JsonException e) {
        remarks.accept(
            new FileRemark(
                file, 0, false, "message " + (messages.size() + 1) + " " + e.getMessage()));
      }
      messages.add(message);
    }
    return messages;
  }

  private void pull(SyncPass pass, AgentMessage message, List<@Nullable AgentMessage> later) {
    Message.Builder envelope = codec(projectOf(message)).toLog(message);
    boolean answered = later.stream().anyMatch(other -> other != null && other.answers(message));
    if (message.requiresResponse() && !answered) {
      envelope.deadline(access.owner().wall().plus(GearMessageBus.RESPONSE_WITHIN));
    }
    String request = openRequest(message);
    if (request != null) {
      envelope.replyTo(request);
    }
    try {
      String stored =
          pass.pull(
              message.messageId(),
              envelope,
              AgentName.isValid(message.toAgent()) ? List.of(message.toAgent()) : List.of(),
              () -> List.copyOf(message.toJson().fields().keySet()),
              access.topic());
      if (request != null) {
        access.deputy().answered(message.fromAgent(), request, stored);
      }
    } catch (ParleyException e) {
      if (e.kind() != ParleyException.Kind.INVALID) {
        throw e;
      }
      access
          .remarks()
          .accept(
              new FileRemark(file, 0, false, "a message was skipped: " + Explanation.messageOf(e)));
    }
  }

  private @Nullable String openRequest(AgentMessage message) {
    String correlation = message.correlationId();
    boolean named = AgentName.isValid(message.fromAgent()) && AgentName.isValid(message.toAgent());
    return correlation == null || correlation.isEmpty() || !named
        ? null
        : access.deputy().openRequest(message.fromAgent(), message.toAgent(), correlation);
  }

  private static GearCodec codec(String project) {
    return new GearCodec(project);
  }

  private String projectOf(AgentMessage message) {
    Json own = message.more().get("project");
    String text = own == null ? null : own.text();
    return text == null || text.isBlank() ? project : text;
  }

  private void push(SyncPass pass, List<Json> items) {
    Map<String, OutgoingMessage> wanted = new LinkedHashMap<>();
    for (OutgoingMessage mail : pass.outgoing()) {
      if (mail.recipient() != null) {
        wanted.putIfAbsent(codec(project).fromLog(mail.envelope()).messageId(), mail);
      }
    }
    Set<String> there = ids(items);
    Map<String, Json> missing = new LinkedHashMap<>();
    wanted.forEach((id, mail) -> {
      if (!there.contains(id)) {
        var whole =
            pass.whole(mail, lost -> access.remarks().accept(new FileRemark(file, 0, false, lost)));
        missing.put(id, codec(project).fromLog(whole).toJson());
      }
    });
    if (missing.isEmpty() || append(missing)) {
      wanted.forEach((id, mail) -> pass.pushed(mail, id));
    } else {
      wanted
          .values()
          .forEach(mail -> pass.postpone(Mailbox.mailOf(String.valueOf(mail.recipient()))));
    }
  }

  private static Set<String> ids(List<Json> items) {
    Set<String> ids = new HashSet<>();
    items.forEach(item -> {
      Json id = item.fields().get("message_id");
      if (id != null && id.text() != null) {
        ids.add(id.text());
      }
    });
    return ids;
  }

  /**
   * Adds messages, by id, that are not there. If another program writes meanwhile, they are added
   * to its new content instead.
   *
   * @return false if the file is no array now
   */
  private boolean append(Map<String, Json> missing) {
    boolean done = false;
    while (!done) {
      byte[] before = ForeignFile.read(file);
      List<Json> items = items(before);
      if (items == null) {
        return false;
      }
      Set<String> there = ids(items);
      List<Json> after = new ArrayList<>(items);
      missing.forEach((id, message) -> {
        if (!there.contains(id)) {
          after.add(message);
        }
      });
      done =
          ForeignFile.replace(
              file,
              IndentedJson.bytes(Json.of(after)),
              temporary -> Arrays.equals(before, ForeignFile.read(file)));
    }
    return true;
  }

  @Override
  public void examine(Consumer<FileRemark> remarks) {
    List<Json> items = items(ForeignFile.read(file));
    if (items == null) {
      remarks.accept(new FileRemark(file, 0, false, "is not a JSON array"));
    } else {
      Map<String, AgentMessage> known = new HashMap<>();
      for (AgentMessage message : messages(items, remarks)) {
        String reason = message == null ? null : passedOver(message, known);
        if (reason != null) {
          remarks.accept(new FileRemark(file, 0, false, reason));
        }
      }
    }
  }

  /** Why a message is not taken into the log; null if it is. */
  private @Nullable String passedOver(AgentMessage message, Map<String, AgentMessage> known) {
    String id = message.messageId();
    String tooLong = ForeignMessage.tooLong(id, access.limits());
    AgentMessage first = known.putIfAbsent(id, message);
    boolean again = first != null && !first.equals(message);
    return tooLong != null
        ? tooLong
        : again
            ? "the id " + id + " occurs twice with different texts; only the first is read"
            : AgentName.isValid(message.toAgent())
                ? null
                : "message " + id + " has a recipient that is not a valid agent name";
  }
}
