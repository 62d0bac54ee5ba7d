package dev.parley.mcp.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;

/** Answers the requests to one address, after the agent is identified. */
public interface Route extends AutoCloseable {
  void handle(HttpExchange exchange, String agent, byte[] body) throws IOException;

  @Override
  default void close() {}
}
