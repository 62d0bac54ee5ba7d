package dev.parley.mcp.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;

/** Answers the requests to one address, once it is known whose they are. */
public interface Route extends AutoCloseable {
  void handle(HttpExchange exchange, String agent, byte[] body) throws IOException;

  @Override
  default void close() {}
}
