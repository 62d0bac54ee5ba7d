package dev.parley.mcp.protocol;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One request that is being answered. */
public final class Call {
  private static final String META = "io.modelcontextprotocol/";
  static final String VERSION = META + "protocolVersion";
  static final String CAPABILITIES = META + "clientCapabilities";

  private final Connection connection;
  private final Outlet stream;
  private final boolean stateless;
  private final Fields params;
  private final Fields meta;
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private volatile String filledIn = "";
  private volatile @Nullable String state;
  private volatile Runnable afterwards = () -> {};

  Call(Connection connection, Outlet stream, boolean stateless, Fields params) {
    this.connection = connection;
    this.stream = stream;
    this.stateless = stateless;
    this.params = params;
    this.meta = params.object("_meta");
  }

  Fields params() {
    return params;
  }

  /** What the client says beside the request itself. */
  public Fields meta() {
    return meta;
  }

  boolean isStateless() {
    return stateless;
  }

  Outlet stream() {
    return stream;
  }

  Connection connection() {
    return connection;
  }

  public Fields arguments() {
    return params.object("arguments");
  }

  /** What the URI of a resource has where its template is open. */
  public String filledIn() {
    return filledIn;
  }

  void fillIn(String text) {
    filledIn = text;
  }

  /** Whether the client can do something. */
  public boolean isAble(String capability) {
    Fields all = stateless ? meta.object(CAPABILITIES) : connection.capabilities();
    return all.json(capability) != null;
  }

  /** The client's answers to what the last reply needed, by name. */
  public Map<String, Json> inputs() {
    return params.object("inputResponses").values();
  }

  /** What the last reply had the client keep; null if nothing. */
  public @Nullable String state() {
    return state;
  }

  void state(String opened) {
    state = opened;
  }

  /** Says how far it is, if the client wants to know. */
  public void progress(long done, long total) {
    Json token = meta.json("progressToken");
    if (token != null) {
      Json params =
          Json.object()
              .put("progressToken", token)
              .put("progress", done)
              .put("total", total)
              .build();
      tell("notifications/progress", params);
    }
  }

  /** Says something for the client's log, if it wants to know. */
  public void log(LogLevel level, String text) {
    LogLevel least = stateless ? LogLevel.find(meta.text(META + "logLevel")) : connection.level();
    if (least != null && level.compareTo(least) >= 0) {
      Json params = Json.object().put("level", level.word()).put("data", text).build();
      tell("notifications/message", params);
    }
  }

  private void tell(String method, Json params) {
    var _ = stream.send(Connection.notification(method, params));
  }

  /**
   * Asks the client for something while it waits; only in the handshake era.
   *
   * @throws RpcException if it does not answer
   */
  public Json ask(String method, Json params) throws InterruptedException {
    return connection.ask(stream, method, params);
  }

  /** Whether nobody waits for the answer any more. */
  public boolean isCancelled() {
    return cancelled.getCount() == 0;
  }

  void cancel() {
    cancelled.countDown();
  }

  /** Waits until nobody waits for the answer any more; false if the time is over before. */
  boolean awaitCancel(long millis) throws InterruptedException {
    return cancelled.await(millis, TimeUnit.MILLISECONDS);
  }

  /** What is done once the client has the answer, and not if it could not be sent. */
  public void afterwards(Runnable action) {
    afterwards = action;
  }

  Runnable afterwards() {
    return afterwards;
  }
}
