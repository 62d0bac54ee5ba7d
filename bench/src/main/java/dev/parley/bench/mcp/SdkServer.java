package dev.parley.bench.mcp;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A server on the Java SDK of the protocol, whose tools do nothing. */
public final class SdkServer {
  private SdkServer() {}

  /**
   * Serves until stdin ends.
   *
   * @param args a file with the tools, as {@code tools/list} shows them
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    McpJsonMapper mapper = McpJsonDefaults.getMapper();
    List<Tool> tools =
        mapper.readValue(Files.readAllBytes(Path.of(args[0])), new TypeRef<List<Tool>>() {});
    List<SyncToolSpecification> offered = new ArrayList<>();
    for (Tool tool : tools) {
      offered.add(
          SyncToolSpecification.builder()
              .tool(tool)
              .callHandler(
                  (exchange, request) -> CallToolResult.builder().addTextContent("{}").build())
              .build());
    }
    CountDownLatch ended = new CountDownLatch(1);
    var transport =
        new StdioServerTransportProvider(mapper, new Ending(System.in, ended), System.out);
    var _ =
        McpServer.sync(transport)
            .serverInfo("bench", "1")
            .capabilities(ServerCapabilities.builder().tools(false).build())
            .tools(offered)
            .build();
    ended.await();
    System.exit(0);
  }

  /** Tells when it is at its end. */
  private static final class Ending extends FilterInputStream {
    private final CountDownLatch ended;

    Ending(InputStream in, CountDownLatch ended) {
      super(in);
      this.ended = ended;
    }

    @Override
    public int read() throws IOException {
      return told(super.read());
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      return told(super.read(bytes, from, length));
    }

    private int told(int read) {
      if (read < 0) {
        ended.countDown();
      }
      return read;
    }
  }
}
