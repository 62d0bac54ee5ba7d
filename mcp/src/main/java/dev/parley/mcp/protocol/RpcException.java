package dev.parley.mcp.protocol;

import dev.parley.core.json.Json;
import org.jspecify.annotations.Nullable;

/** A request that is answered with a protocol error. */
public final class RpcException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public static final int PARSE_ERROR = -32700;
  public static final int INVALID_REQUEST = -32600;
  public static final int METHOD_NOT_FOUND = -32601;
  public static final int INVALID_PARAMS = -32602;
  public static final int INTERNAL_ERROR = -32603;
  public static final int HEADER_MISMATCH = -32020;
  public static final int MISSING_CAPABILITY = -32021;
  public static final int UNSUPPORTED_VERSION = -32022;

  private final int code;
  private final int status;
  private final transient @Nullable Json data;

  private RpcException(int code, int status, String message, @Nullable Json data) {
    super(message, null, false, false);
    this.code = code;
    this.status = status;
    this.data = data;
  }

  /** An error with HTTP status 200, because the request itself was well-formed. */
  public static RpcException of(int code, String message) {
    return new RpcException(code, 200, message, null);
  }

  /** A malformed request. */
  public static RpcException malformed(int code, String message) {
    return new RpcException(code, 400, message, null);
  }

  static RpcException unknownMethod(String method) {
    return new RpcException(METHOD_NOT_FOUND, 404, "Method not found: " + shown(method), null);
  }

  static RpcException unsupportedVersion(String requested) {
    Json data =
        Json.object()
            .put("supported", Json.ofStrings(Revision.ALL))
            .put("requested", requested)
            .build();
    return new RpcException(UNSUPPORTED_VERSION, 400, "Unsupported protocol version", data);
  }

  static RpcException noResource(String uri) {
    Json data = Json.object().put("uri", uri).build();
    return new RpcException(INVALID_PARAMS, 200, "Resource not found", data);
  }

  /** The request needs a capability that the client did not declare. */
  public static RpcException missingCapability(String capability) {
    Json required = Json.object().put(capability, Json.EMPTY_OBJECT).build();
    return new RpcException(
        MISSING_CAPABILITY,
        400,
        "The client did not declare the capability " + capability,
        Json.object().put("requiredCapabilities", required).build());
  }

  /** A name from a client, cut to fit into a message. */
  private static String shown(String name) {
    return name.length() <= 100 ? name : name.substring(0, 100) + "…";
  }

  /** The HTTP status for this error in the stateless era. */
  int status() {
    return status;
  }

  Json toJson() {
    Json.ObjectBuilder json =
        Json.object().put("code", code).put("message", String.valueOf(getMessage()));
    return data == null ? json.build() : json.put("data", data).build();
  }
}
