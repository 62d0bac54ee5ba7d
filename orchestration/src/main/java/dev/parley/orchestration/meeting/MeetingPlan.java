package dev.parley.orchestration.meeting;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The input of a meeting.
 *
 * @param proposal the proposal to decide on
 * @param documents further texts for the directors
 * @param agents the agent that speaks for each director; other electors speak for themselves
 * @param personas the descriptions of the directors
 * @param folder where the agents' programs work
 */
public record MeetingPlan(
    Agenda agenda,
    String proposal,
    List<Document> documents,
    SequencedMap<String, String> agents,
    Personas personas,
    Path folder) {
  private static final String PLAN = "plan";
  private static final int DEEPEST = 10;

  /** A document for the directors. */
  public record Document(String name, String text) {}

  public MeetingPlan {
    documents = List.copyOf(documents);
    agents = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(agents));
  }

  /**
   * The run parameters, from which the meeting can be resumed. All texts together can be too long
   * for a line, so the plan is stored beside the log.
   */
  public Json parameters(Contents contents) {
    return Json.object()
        .put("title", agenda.checkpoint())
        .put(PLAN, contents.store(write().toString().getBytes(StandardCharsets.UTF_8)))
        .build();
  }

  private Json write() {
    Json.ObjectBuilder byDirector = Json.object();
    agents.forEach(byDirector::put);
    return agenda
        .write()
        .put("proposal", proposal)
        .put(
            "documents",
            Json.of(
                documents.stream()
                    .map(document ->
                        Json.object()
                            .put("name", document.name())
                            .put("text", document.text())
                            .build())
                    .toList()))
        .put("agents", byDirector.build())
        .put("personas", personas.parameters())
        .put("cwd", folder.toString())
        .build();
  }

  /** The plan in a resumed run's parameters. Earlier versions had all of it there. */
  public static MeetingPlan of(Json parameters, Contents contents) {
    String digest = text(parameters.fields().get(PLAN));
    return read(digest.isEmpty() ? parameters : Json.parse(contents.load(digest), DEEPEST));
  }

  private static MeetingPlan read(Json plan) {
    Map<String, Json> fields = plan.fields();
    SequencedMap<String, String> agents = new LinkedHashMap<>();
    object(fields, "agents").forEach((director, agent) -> agents.put(director, text(agent)));
    List<Document> documents =
        fields.getOrDefault("documents", Json.of(List.of())).items().stream()
            .map(Json::fields)
            .map(each -> new Document(text(each.get("name")), text(each.get("text"))))
            .toList();
    return new MeetingPlan(
        Objects.requireNonNull(Agenda.read(Fields.of(plan))),
        text(fields.get("proposal")),
        documents,
        agents,
        Personas.of(fields.get("personas")),
        Path.of(text(fields.get("cwd"))));
  }

  private static Map<String, Json> object(Map<String, Json> fields, String name) {
    return fields.getOrDefault(name, Json.EMPTY_OBJECT).fields();
  }

  private static String text(@Nullable Json json) {
    String text = json == null ? null : json.text();
    return text == null ? "" : text;
  }
}
