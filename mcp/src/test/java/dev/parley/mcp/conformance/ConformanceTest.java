package dev.parley.mcp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.NodePackages;
import dev.parley.mcp.http.LocalServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The official conformance suite, against a fixture on our engine. */
class ConformanceTest {
  @ParameterizedTest
  @CsvSource({"2025-11-25, 30", "2026-07-28, 37"})
  void everyScoredScenarioPasses(String revision, int scenarios)
      throws IOException, InterruptedException {
    NodePackages node =
        NodePackages.of("conformance", "@modelcontextprotocol/conformance@0.2.0-alpha.12");
    try (LocalServer server = FixtureServer.start(0)) {
      Process suite =
          new ProcessBuilder(
                  node.command(
                      "@modelcontextprotocol/conformance/dist/index.js",
                      "server",
                      "--url",
                      "http://127.0.0.1:" + server.port() + "/mcp",
                      "--requirements",
                      revision))
              .redirectErrorStream(true)
              .start();
      String report = new String(suite.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int scoredEnd = report.indexOf("Not scored");
      List<String> notScored =
          report.substring(Math.max(0, scoredEnd)).lines().filter(ConformanceTest::isLine).toList();
      List<String> all =
          report
              .substring(0, Math.max(0, scoredEnd))
              .lines()
              .filter(ConformanceTest::isLine)
              .toList();
      assertThat(suite.waitFor()).as(report).isZero();
      assertThat(all.size() - notScored.size()).as(report).isEqualTo(scenarios);
    }
  }

  private static boolean isLine(String line) {
    String text = line.strip();
    return text.startsWith("✓") || text.startsWith("✗");
  }
}
