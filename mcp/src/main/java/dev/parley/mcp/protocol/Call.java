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
  private final ClientOutput stream;
  private final boolean stateless;
  private final Fields params;
  private final Fields meta;
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private volatile String filledIn = "";
  private volatile @Nullable String state;
  private volatile Runnable afterwards = () -> {};

  Call(Connection connection, ClientOutput stream, boolean stateless, Fields params) {
    this.connection = connection;
    this.stream = stream;
    this.stateless = stateless;
    this.params = params;
    this.meta = params.object("_meta");
  }

  Fields params() {
    return params;
  }

  /** What the client sends beside the request itself. */
  public Fields meta() {
    return meta;
  }

  boolean isStateless() {
    return stateless;
  }

  ClientOutput stream() {
    return stream;
  }

  Connection connection() {
    return connection;
  }

  public Fields arguments() {
    return params.object("arguments");
  }

  /** The part of a resource's URI that fills its template's placeholder. */
  public String filledIn() {
    return filledIn;
  }

  void fillIn(String text) {
    filledIn = text;
  }

  /** Whether the client has a capability. */
  public boolean isAble(String capability) {
    Fields all = stateless ? meta.object(CAPABILITIES) : connection.capabilities();
    return all.json(capability) != null;
  }

  /** The client's answers to the requests of the last reply, by name. */
  public Map<String, Json> inputs() {
    return params.object("inputResponses").values();
  }

  /** The state that the last reply gave to the client; null if there is none. */
  public @Nullable String state() {
    return state;
  }

  void state(String opened) {
    state = opened;
  }

  /** Reports progress, if the client asked for it. */
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

  /** Writes to the client's log, if the client asked for it. */
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
   * Sends a request to the client and waits for its answer. Only in the handshake era.
   *
   * @throws RpcException if the client does not answer
   */
  public Json ask(String method, Json params) throws InterruptedException {
    return connection.ask(stream, method, params);
  }

  /** Whether the client no longer waits for the answer. */
  public boolean isCancelled() {
    return cancelled.getCount() == 0;
  }

  void cancel() {
    cancelled.countDown();
  }

  /** Waits until the client cancels; false after the timeout. */
  boolean awaitCancel(long millis) throws InterruptedException {
    return cancelled.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Runs an action once the client has the answer; never if the answer could not be sent. */
  public void afterwards(Runnable action) {
    afterwards = action;
  }

  Runnable afterwards() {
    return afterwards;
  }
}
