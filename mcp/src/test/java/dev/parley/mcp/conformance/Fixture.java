package dev.parley.mcp.conformance;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Call;
import dev.parley.mcp.protocol.CallHandler;
import dev.parley.mcp.protocol.Content;
import dev.parley.mcp.protocol.Engine;
import dev.parley.mcp.protocol.LogLevel;
import dev.parley.mcp.protocol.Prompt;
import dev.parley.mcp.protocol.Reply;
import dev.parley.mcp.protocol.Resource;
import dev.parley.mcp.protocol.RpcException;
import dev.parley.mcp.protocol.ServerFeatures;
import dev.parley.mcp.protocol.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** What the conformance suite expects a server to offer. */
final class Fixture implements ServerFeatures {
  /** A picture of one pixel. */
  private static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

  private static final String WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
  private static final Json NOTHING = Json.object().put("type", "object").build();

  private final AtomicReference<Engine> engine = new AtomicReference<>();
  private final List<Tool> tools = new ArrayList<>();
  private final List<Prompt> prompts = new ArrayList<>();
  private final List<Resource> resources = new ArrayList<>();

  Fixture() {
    contentTools();
    toolsThatTalk();
    toolsThatAsk();
    toolsThatNeedInput();
    addPrompts();
    addResources();
  }

  static Engine engine() {
    Fixture fixture = new Fixture();
    Engine engine = new Engine(fixture);
    fixture.engine.set(engine);
    return engine;
  }

  @Override
  public String name() {
    return "parley-fixture";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public String instructions() {
    return "For the conformance suite.";
  }

  @Override
  public List<Tool> tools() {
    return List.copyOf(tools);
  }

  @Override
  public List<Prompt> prompts() {
    return prompts;
  }

  @Override
  public List<Resource> resources() {
    return resources;
  }

  @Override
  public boolean changes() {
    return true;
  }

  @Override
  public List<String> complete(String reference, String argument, String beginning) {
    return List.of("paris", "park", "party");
  }

  private void tool(String name, CallHandler handler) {
    tool(name, NOTHING, handler);
  }

  private void tool(String name, Json schema, CallHandler handler) {
    tools.add(new Tool(name, "For the conformance suite.", schema, false, handler));
  }

  private static Json schema(String... texts) {
    Json.ObjectBuilder properties = Json.object();
    for (String text : texts) {
      properties.put(text, Json.object().put("type", "string").build());
    }
    return Json.object()
        .put("type", "object")
        .put("properties", properties.build())
        .put("required", Json.ofStrings(List.of(texts)))
        .build();
  }

  private void contentTools() {
    Json embedded =
        Content.embedded(
            Content.resource(
                "test://embedded-resource", "text/plain", "This is an embedded resource content."));
    tool("test_simple_text", _ -> Reply.text("This is a simple text response for testing."));
    tool(
        "test_image_content",
        _ -> Reply.content(List.of(Content.media("image", "image/png", PNG))));
    tool(
        "test_audio_content",
        _ -> Reply.content(List.of(Content.media("audio", "audio/wav", WAV))));
    tool("test_embedded_resource", _ -> Reply.content(List.of(embedded)));
    tool(
        "test_multiple_content_types",
        _ ->
            Reply.content(
                List.of(
                    Content.text("Multiple content types test:"),
                    Content.media("image", "image/png", PNG),
                    Content.embedded(
                        Content.resource(
                            "test://mixed-content-resource",
                            "application/json",
                            "{\"test\":\"data\",\"value\":123}")))));
    tool(
        "test_error_handling",
        _ -> Reply.failure("This tool intentionally returns an error for testing"));
    tool("json_schema_2020_12_tool", Json.parse(JSON_SCHEMA), _ -> Reply.text("ok"));
  }

  private static final String JSON_SCHEMA =
      """
      {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
       "$defs":{"address":{"$anchor":"addressDef","type":"object",
         "properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
       "properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
         "contactMethod":{"type":"string","enum":["phone","email"]},
         "phone":{"type":"string"},"email":{"type":"string"}},
       "allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
       "if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
       "then":{"required":["phone"]},"else":{"required":["email"]},
       "additionalProperties":false}
      """;

  /** The suite wants the messages to come one by one, so these take their time. */
  private void toolsThatTalk() {
    tool(
        "test_tool_with_logging",
        call -> {
          for (String text :
              List.of(
                  "Tool execution started", "Tool processing data", "Tool execution completed")) {
            call.log(LogLevel.INFO, text);
            Thread.sleep(50);
          }
          return Reply.text("logged");
        });
    tool(
        "test_logging_tool",
        call -> {
          call.log(LogLevel.INFO, "something");
          return Reply.text("logged");
        });
    tool(
        "test_tool_with_progress",
        call -> {
          for (int done : new int[] {0, 50, 100}) {
            call.progress(done, 100);
            Thread.sleep(50);
          }
          return Reply.text("done");
        });
    tool(
        "test_trigger_tool_change",
        _ -> {
          tools.removeIf(tool -> tool.name().equals("test_added"));
          tool("test_added", _ -> Reply.text("added"));
          engine.get().changed("tools");
          return Reply.text("changed");
        });
    tool(
        "test_trigger_prompt_change",
        _ -> {
          engine.get().changed("prompts");
          return Reply.text("changed");
        });
  }

  private static Json elicitation(String message, String properties, String... required) {
    Json schema =
        Json.object()
            .put("type", "object")
            .put("properties", Json.parse(properties))
            .put("required", Json.ofStrings(List.of(required)))
            .build();
    return Json.object().put("message", message).put("requestedSchema", schema).build();
  }

  private static Json request(String method, Json params) {
    return Json.object().put("method", method).put("params", params).build();
  }

  private static Json sampling(String text, int tokens) {
    Json message = Content.message("user", Content.text(text));
    return Json.object()
        .put("messages", Json.of(List.of(message)))
        .put("maxTokens", tokens)
        .build();
  }

  private static Json askForName(String message) {
    return request(
        "elicitation/create", elicitation(message, "{\"name\":{\"type\":\"string\"}}", "name"));
  }

  private static Json askForConsent() {
    return request(
        "elicitation/create",
        elicitation("Please confirm", "{\"ok\":{\"type\":\"boolean\"}}", "ok"));
  }

  private void toolsThatAsk() {
    tool(
        "test_sampling",
        schema("prompt"),
        call -> {
          Json answer =
              call.ask(
                  "sampling/createMessage", sampling(call.arguments().text("prompt", ""), 100));
          return Reply.text(
              "LLM response: " + Fields.of(answer).object("content").text("text", ""));
        });
    tool(
        "test_missing_capability",
        call -> {
          if (!call.isAble("sampling")) {
            throw RpcException.missingCapability("sampling");
          }
          return Reply.text("ok");
        });
    tool(
        "test_elicitation",
        schema("message"),
        call ->
            elicited(
                call,
                elicitation(
                    call.arguments().text("message", ""),
                    "{\"username\":{\"type\":\"string\",\"description\":\"User's response\"},"
                        + "\"email\":{\"type\":\"string\",\"description\":\"User's email\"}}",
                    "username",
                    "email")));
    tool(
        "test_streaming_elicitation",
        call -> {
          call.progress(1, 2);
          return Reply.text("asked for nothing");
        });
    tool(
        "test_elicitation_sep1034_defaults",
        call ->
            elicited(
                call,
                elicitation(
                    "Please check",
                    """
                    {"name":{"type":"string","default":"John Doe"},
                     "age":{"type":"integer","default":30},
                     "score":{"type":"number","default":95.5},
                     "status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
                     "verified":{"type":"boolean","default":true}}
                    """)));
    tool(
        "test_elicitation_sep1330_enums",
        call ->
            elicited(
                call,
                elicitation(
                    "Please choose",
                    """
                    {"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
                     "titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
                       {"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
                     "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
                       "enumNames":["Option One","Option Two","Option Three"]},
                     "untitledMulti":{"type":"array","items":{"type":"string",
                       "enum":["option1","option2","option3"]}},
                     "titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
                       {"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}
                    """)));
  }

  private static Reply elicited(Call call, Json params) throws InterruptedException {
    Fields answer = Fields.of(call.ask("elicitation/create", params));
    return Reply.text(
        "Elicitation completed: action="
            + answer.text("action")
            + ", content="
            + answer.json("content"));
  }

  private void toolsThatNeedInput() {
    tool(
        "test_input_required_result_elicitation",
        call -> {
          Json answer = call.inputs().get("user_name");
          return answer == null
              ? Reply.needs(Map.of("user_name", askForName("What is your name?")), null)
              : Reply.text("Hello, " + Fields.of(answer).object("content").text("name") + "!");
        });
    tool(
        "test_input_required_result_sampling",
        call -> {
          Json answer = call.inputs().get("capital_question");
          Json question =
              request("sampling/createMessage", sampling("What is the capital of France?", 100));
          return answer == null
              ? Reply.needs(Map.of("capital_question", question), null)
              : Reply.text(Fields.of(answer).object("content").text("text", ""));
        });
    tool(
        "test_input_required_result_list_roots",
        call -> {
          Json answer = call.inputs().get("client_roots");
          return answer == null
              ? Reply.needs(Map.of("client_roots", request("roots/list", Json.EMPTY_OBJECT)), null)
              : Reply.text("roots: " + answer);
        });
    for (String name : List.of("request_state", "tampered_state")) {
      tool(
          "test_input_required_result_" + name,
          call ->
              call.inputs().containsKey("confirm") && "asked".equals(call.state())
                  ? Reply.text("state-ok")
                  : Reply.needs(Map.of("confirm", askForConsent()), "asked"));
    }
    tool("test_input_required_result_multiple_inputs", Fixture::severalInputs);
    tool("test_input_required_result_multi_round", Fixture::severalRounds);
    tool(
        "test_input_required_result_capabilities",
        call -> {
          Map<String, Json> inputs = new LinkedHashMap<>();
          if (call.isAble("elicitation")) {
            inputs.put("user_name", askForName("What is your name?"));
          }
          if (call.isAble("sampling")) {
            inputs.put("greeting", request("sampling/createMessage", sampling("Greet", 50)));
          }
          return Reply.needs(inputs, null);
        });
  }

  private static Reply severalInputs(Call call) {
    Map<String, Json> inputs = new LinkedHashMap<>();
    inputs.put("user_name", askForName("What is your name?"));
    inputs.put("greeting", request("sampling/createMessage", sampling("Generate a greeting", 50)));
    inputs.put("client_roots", request("roots/list", Json.EMPTY_OBJECT));
    return call.inputs().keySet().containsAll(inputs.keySet())
        ? Reply.text("all there")
        : Reply.needs(inputs, "asked");
  }

  private static Reply severalRounds(Call call) {
    if ("two".equals(call.state()) && call.inputs().containsKey("step2")) {
      return Reply.text("done");
    }
    if ("one".equals(call.state()) && call.inputs().containsKey("step1")) {
      Json second =
          request(
              "elicitation/create",
              elicitation(
                  "Step 2: What is your favorite color?",
                  "{\"color\":{\"type\":\"string\"}}",
                  "color"));
      return Reply.needs(Map.of("step2", second), "two");
    }
    return Reply.needs(Map.of("step1", askForName("Step 1: What is your name?")), "one");
  }

  private void prompt(String name, List<Prompt.Argument> arguments, CallHandler handler) {
    prompts.add(new Prompt(name, "For the conformance suite.", arguments, handler));
  }

  private static Reply messages(Json... contents) {
    List<Json> messages = new ArrayList<>();
    for (Json content : contents) {
      messages.add(Content.message("user", content));
    }
    return Reply.of(Json.object().put("messages", Json.of(messages)));
  }

  private void addPrompts() {
    prompt(
        "test_simple_prompt",
        List.of(),
        _ -> messages(Content.text("This is a simple prompt for testing.")));
    prompt(
        "test_prompt_with_arguments",
        List.of(
            new Prompt.Argument("arg1", "First test argument", true),
            new Prompt.Argument("arg2", "Second test argument", true)),
        call ->
            messages(
                Content.text(
                    "Prompt with arguments: arg1='"
                        + call.arguments().text("arg1")
                        + "', arg2='"
                        + call.arguments().text("arg2")
                        + "'")));
    prompt(
        "test_prompt_with_embedded_resource",
        List.of(new Prompt.Argument("resourceUri", "What to embed", true)),
        call ->
            messages(
                Content.embedded(
                    Content.resource(
                        call.arguments().text("resourceUri", ""),
                        "text/plain",
                        "Embedded resource content for testing.")),
                Content.text("Please process the embedded resource above.")));
    prompt(
        "test_prompt_with_image",
        List.of(),
        _ ->
            messages(
                Content.media("image", "image/png", PNG),
                Content.text("Please analyze the image above.")));
    prompt(
        "test_input_required_result_prompt",
        List.of(),
        call -> {
          Json answer = call.inputs().get("user_context");
          Json question =
              request(
                  "elicitation/create",
                  elicitation(
                      "What context should the prompt use?",
                      "{\"context\":{\"type\":\"string\"}}",
                      "context"));
          return answer == null
              ? Reply.needs(Map.of("user_context", question), null)
              : messages(Content.text("With context: " + answer));
        });
  }

  private void resource(String uri, String mimeType, CallHandler handler) {
    resources.add(new Resource(uri, uri, "For the conformance suite.", mimeType, handler));
  }

  private static Reply contents(Json content) {
    return Reply.of(Json.object().put("contents", Json.of(List.of(content))));
  }

  private void addResources() {
    resource(
        "test://static-text",
        "text/plain",
        _ ->
            contents(
                Content.resource(
                    "test://static-text",
                    "text/plain",
                    "This is the content of the static text resource.")));
    resource(
        "test://static-binary",
        "image/png",
        _ ->
            contents(
                Json.object()
                    .put("uri", "test://static-binary")
                    .put("mimeType", "image/png")
                    .put("blob", PNG)
                    .build()));
    resource(
        "test://watched-resource",
        "text/plain",
        _ -> contents(Content.resource("test://watched-resource", "text/plain", "watched")));
    resource(
        "test://template/{id}/data",
        "application/json",
        call ->
            contents(
                Content.resource(
                    "test://template/" + call.filledIn() + "/data",
                    "application/json",
                    "{\"id\":\""
                        + call.filledIn()
                        + "\",\"templateTest\":true,\"data\":\"Data for ID: "
                        + call.filledIn()
                        + "\"}")));
  }
}
