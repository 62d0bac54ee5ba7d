package dev.parley.mcp.protocol;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.text.Explanation;
import dev.parley.text.NextSteps;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers clients' messages from a server's {@link ServerFeatures}. */
public final class Engine {
  private static final System.Logger LOG = System.getLogger(Engine.class.getName());
  private static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";

  /** How long clients may cache lists. Clients are told if a list changes. */
  private static final long LIST_MILLIS = 300_000;

  private final ServerFeatures offer;
  private final Listeners listeners = new Listeners();
  private final SignedText seal = new SignedText();
  private final AtomicBoolean isWatched = new AtomicBoolean();

  public Engine(ServerFeatures offer) {
    this.offer = offer;
  }

  /**
   * Answers one message.
   *
   * @param connection the client's; a new one for a request of the stateless era over HTTP
   * @param stream for messages that belong to this answer and come before it
   * @param revision the protocol revision in the transport's headers; null if there is none
   */
  public Response answer(
      Json message, Connection connection, ClientOutput stream, @Nullable String revision) {
    Fields fields = Fields.of(message);
    Json id = fields.json("id");
    String method = fields.text("method");
    try {
      if (!message.isObject() || !"2.0".equals(fields.text("jsonrpc"))) {
        throw RpcException.malformed(
            RpcException.INVALID_REQUEST, "A message is one JSON-RPC 2.0 object");
      }
      if (method == null) {
        if (id != null) {
          connection.answered(id, fields);
        }
        return Response.NONE;
      }
      if (id == null) {
        notified(connection, method, fields.object("params"));
        return Response.NONE;
      }
      if (!id.isString() && id.number(Long.MIN_VALUE) == Long.MIN_VALUE) {
        throw RpcException.malformed(
            RpcException.INVALID_REQUEST, "The id of a request is a text or a whole number");
      }
      boolean stateless = isStateless(message, revision);
      return request(id, method, new Call(connection, stream, stateless, fields.object("params")));
    } catch (RpcException e) {
      return Response.error(id == null ? Json.NULL : id, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Response.error(
          id == null ? Json.NULL : id,
          RpcException.of(RpcException.INTERNAL_ERROR, "The server is ending"));
    } catch (ParleyException e) {
      Explanation why = Explanation.of(e, NextSteps.PLAIN, Timestamps::format);
      return Response.error(
          id == null ? Json.NULL : id,
          RpcException.of(RpcException.INTERNAL_ERROR, why.message() + " " + why.next()));
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a request failed", e);
      return Response.error(
          id == null ? Json.NULL : id,
          RpcException.of(RpcException.INTERNAL_ERROR, "Internal error"));
    }
  }

  /** Whether a message belongs to the stateless era: each of its requests says so itself. */
  public static boolean isStateless(Json message, @Nullable String revision) {
    Fields fields = Fields.of(message);
    return Revision.STATELESS.equals(revision)
        || fields.object("params").object("_meta").json(Call.VERSION) != null
        || "server/discover".equals(fields.text("method"));
  }

  private static void notified(Connection connection, String method, Fields params) {
    if (method.equals("notifications/cancelled")) {
      Json id = params.json("requestId");
      if (id != null) {
        connection.cancel(id);
      }
    }
  }

  private Response request(Json id, String method, Call call) throws InterruptedException {
    if (call.isStateless()) {
      checkMeta(call.meta());
    }
    call.connection().begin(id, call);
    try {
      Json result = call.isStateless() ? stateless(id, method, call) : handshake(method, call);
      return call.isCancelled() ? Response.NONE : Response.result(id, result, call.afterwards());
    } finally {
      call.connection().end(id, call);
    }
  }

  private static void checkMeta(Fields meta) {
    String version = meta.text(Call.VERSION);
    Json capabilities = meta.json(Call.CAPABILITIES);
    if (version == null) {
      throw RpcException.malformed(RpcException.INVALID_PARAMS, "_meta lacks " + Call.VERSION);
    }
    if (!version.equals(Revision.STATELESS)) {
      throw RpcException.unsupportedVersion(version);
    }
    if (capabilities == null || !capabilities.isObject()) {
      throw RpcException.malformed(RpcException.INVALID_PARAMS, "_meta lacks " + Call.CAPABILITIES);
    }
  }

  private Json handshake(String method, Call call) throws InterruptedException {
    Fields params = call.params();
    return switch (method) {
      case "initialize" -> initialize(call).build();
      case "ping" -> Json.EMPTY_OBJECT;
      case "logging/setLevel" -> {
        LogLevel level = LogLevel.find(params.text("level"));
        if (level == null) {
          throw RpcException.of(RpcException.INVALID_PARAMS, "There is no such level");
        }
        call.connection().level(level);
        yield Json.EMPTY_OBJECT;
      }
      case "resources/subscribe" -> {
        String uri = need(params, "uri");
        var _ = resource(uri);
        watch();
        call.connection().watched().add(uri);
        yield Json.EMPTY_OBJECT;
      }
      case "resources/unsubscribe" -> {
        call.connection().watched().remove(need(params, "uri"));
        yield Json.EMPTY_OBJECT;
      }
      default -> common(method, call).build();
    };
  }

  private Json.ObjectBuilder initialize(Call call) {
    Fields params = call.params();
    call.connection().initialize(params.object("capabilities"));
    listeners.add(call.connection());
    return Json.object()
        .put("protocolVersion", Revision.agreed(params.text("protocolVersion", "")))
        .put("capabilities", capabilities(true))
        .put("serverInfo", serverInfo())
        .put("instructions", offer.instructions());
  }

  private Json stateless(Json id, String method, Call call) throws InterruptedException {
    Json.ObjectBuilder result;
    switch (method) {
      case "server/discover" ->
          result =
              cached(
                  Json.object()
                      .put("supportedVersions", Json.ofStrings(Revision.ALL))
                      .put("capabilities", capabilities(false))
                      .put("instructions", offer.instructions()),
                  LIST_MILLIS,
                  "public");
      case "subscriptions/listen" -> {
        if (!Listeners.wantedResources(call).isEmpty()) {
          watch();
        }
        listeners.listen(id, call);
        result = Json.object();
      }
      default -> {
        result = common(method, call);
        switch (method) {
          case "tools/list", "prompts/list", "resources/list", "resources/templates/list" ->
              result = cached(result, LIST_MILLIS, "public");
          case "resources/read" -> result = cached(result, 0, "private");
          default -> {}
        }
      }
    }
    boolean more = result.build().fields().containsKey("inputRequests");
    return result
        .put("resultType", more ? "input_required" : "complete")
        .put("_meta", Json.object().put(SERVER_INFO, serverInfo()).build())
        .build();
  }

  private static Json.ObjectBuilder cached(Json.ObjectBuilder result, long millis, String scope) {
    return result.put("ttlMs", millis).put("cacheScope", scope);
  }

  /** Answers the methods that both eras have. */
  private Json.ObjectBuilder common(String method, Call call) throws InterruptedException {
    Fields params = call.params();
    return switch (method) {
      case "tools/list" -> list("tools", offer.tools(), Tool::toJson);
      case "prompts/list" -> list("prompts", offer.prompts(), Prompt::toJson);
      case "resources/list" -> list("resources", resources(false), Resource::toJson);
      case "resources/templates/list" ->
          list("resourceTemplates", resources(true), Resource::toJson);
      case "tools/call" -> run(tool(need(params, "name")).handler(), call);
      case "prompts/get" -> run(prompt(need(params, "name")).handler(), call);
      case "resources/read" -> {
        String uri = need(params, "uri");
        Resource resource = resource(uri);
        call.fillIn(String.valueOf(resource.match(uri)));
        yield run(resource.handler(), call);
      }
      case "completion/complete" -> complete(params);
      default -> throw RpcException.unknownMethod(method);
    };
  }

  private Json.ObjectBuilder run(CallHandler handler, Call call) throws InterruptedException {
    String state = call.params().text("requestState");
    if (state != null) {
      call.state(seal.open(state));
    }
    for (Json input : call.inputs().values()) {
      if (!input.isObject()) {
        throw RpcException.of(RpcException.INVALID_PARAMS, "An input response is an object");
      }
    }
    Json responses = call.params().json("inputResponses");
    if (responses != null && !responses.isObject()) {
      throw RpcException.of(RpcException.INVALID_PARAMS, "inputResponses is an object");
    }
    Reply reply = handler.answer(call);
    if (reply.inputs().isEmpty()) {
      return reply.result();
    }
    Json.ObjectBuilder requests = Json.object();
    reply.inputs().forEach(requests::put);
    Json.ObjectBuilder result = Json.object().put("inputRequests", requests.build());
    return reply.state() == null ? result : result.put("requestState", seal.close(reply.state()));
  }

  private static String need(Fields params, String name) {
    String value = params.text(name);
    if (value == null) {
      throw RpcException.of(RpcException.INVALID_PARAMS, "params lacks " + name);
    }
    return value;
  }

  private Tool tool(String name) {
    return find(offer.tools(), tool -> tool.name().equals(name), "tool");
  }

  private Prompt prompt(String name) {
    return find(offer.prompts(), prompt -> prompt.name().equals(name), "prompt");
  }

  private static <T> T find(List<T> all, Function<T, Boolean> wanted, String what) {
    for (T one : all) {
      if (wanted.apply(one)) {
        return one;
      }
    }
    throw RpcException.of(RpcException.INVALID_PARAMS, "There is no such " + what);
  }

  private List<Resource> resources(boolean templates) {
    return offer.resources().stream()
        .filter(resource -> resource.isTemplate() == templates)
        .toList();
  }

  private Resource resource(String uri) {
    for (Resource resource : offer.resources()) {
      if (resource.match(uri) != null) {
        return resource;
      }
    }
    throw RpcException.noResource(uri);
  }

  private Json.ObjectBuilder complete(Fields params) {
    Fields reference = params.object("ref");
    Fields argument = params.object("argument");
    List<String> values =
        offer.complete(
            reference.text("name", reference.text("uri", "")),
            argument.text("name", ""),
            argument.text("value", ""));
    Json completion =
        Json.object()
            .put("values", Json.ofStrings(values))
            .put("total", values.size())
            .put("hasMore", false)
            .build();
    return Json.object().put("completion", completion);
  }

  private static <T> Json.ObjectBuilder list(String name, List<T> all, Function<T, Json> toJson) {
    return Json.object().put(name, Json.of(all.stream().map(toJson).toList()));
  }

  private Json capabilities(boolean handshake) {
    Json changing = Json.object().put("listChanged", offer.changes()).build();
    Json.ObjectBuilder all =
        Json.object()
            .put("tools", changing)
            .put("prompts", changing)
            .put(
                "resources",
                Json.object().put("subscribe", true).put("listChanged", offer.changes()).build())
            .put("completions", Json.EMPTY_OBJECT);
    return (handshake ? all.put("logging", Json.EMPTY_OBJECT) : all).build();
  }

  private Json serverInfo() {
    return Json.object().put("name", offer.name()).put("version", offer.version()).build();
  }

  /**
   * Tells clients that a list has changed.
   *
   * @param what tools, prompts or resources
   */
  public void changed(String what) {
    listeners.changed(what);
  }

  /** The first client that wants to know of changed resources makes the offer look for them. */
  private void watch() {
    if (isWatched.compareAndSet(false, true)) {
      offer.watch(this::updated);
    }
  }

  /** Tells clients that watch a resource that it has changed. */
  public void updated(String uri) {
    listeners.updated(uri);
  }
}
