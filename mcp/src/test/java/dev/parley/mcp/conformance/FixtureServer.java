package dev.parley.mcp.conformance;

import dev.parley.mcp.http.AgentLimits;
import dev.parley.mcp.http.HostCheck;
import dev.parley.mcp.http.LocalServer;
import dev.parley.mcp.http.McpEndpoint;
import dev.parley.mcp.protocol.Engine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** A server for the conformance suite, which has no token: it tests servers without one. */
final class FixtureServer {
  private FixtureServer() {}

  static LocalServer start(int port) throws IOException {
    Engine engine = Fixture.engine();
    return LocalServer.start(
        new LocalServer.Settings(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            new HostCheck(List.of()),
            null,
            AgentLimits.DEFAULT),
        Map.of("/mcp", new McpEndpoint(_ -> engine, AgentLimits.DEFAULT)));
  }

  public static void main(String[] args) throws IOException {
    LocalServer server = start(Integer.parseInt(args[0]));
    System.out.println("http://127.0.0.1:" + server.port() + "/mcp");
  }
}
