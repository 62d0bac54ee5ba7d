package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is given to others: the same for everyone, with its license, contents and checksums. */
class DistributionIT {
  private static final Path ROOT = Path.of(System.getProperty("parley.root"));
  private static final List<String> MODULES =
      List.of("core", "file-log", "coordination", "dialects", "orchestration", "mcp", "cli");

  @TempDir private Path temporary;

  private Answer sh(String script) throws IOException, InterruptedException {
    Map<String, String> variables =
        Map.of("root", ROOT.toString(), "jdk", System.getProperty("java.home"));
    try (Launched sh = Launched.start(temporary, variables, List.of("sh", "-ec", script))) {
      return sh.answer(Duration.ofMinutes(3));
    }
  }

  @Test
  void theLicenseIsInEveryJar() throws IOException {
    String license = Files.readString(ROOT.resolve("LICENSE"));
    for (String module : MODULES) {
      Path file = ROOT.resolve(module + "/target/parley-" + module + ".jar");
      try (JarFile jar = new JarFile(file.toFile());
          var in = jar.getInputStream(jar.getEntry("META-INF/LICENSE"))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .as(module)
            .isEqualTo(license);
      }
    }
  }

  @Test
  void itIsTheSameWhateverTheUmaskAndRunsWithoutAJdk() throws Exception {
    Path bom = temporary.resolve("bom.json");
    Files.writeString(
        bom, "{\n  \"bomFormat\" : \"CycloneDX\",\n  \"components\" : [\n    {}\n  ]\n}\n");
    String make = "\"$root/tools/make-distribution.sh\" \"$root\" \"$jdk\" 1 ";
    Answer made =
        sh(
            "umask 022; "
                + make
                + "a bom.json; umask 077; "
                + make
                + "b bom.json; diff a/SHA256SUMS b/SHA256SUMS");

    assertThat(made.exitCode()).as(made.out() + made.err()).isZero();
    assertThat(sh("cd b && sha256sum -c SHA256SUMS").exitCode()).isZero();
    Json parts = Json.parse(Files.readString(temporary.resolve("a/parley-1.cdx.json")));
    Json runtime = parts.fields().get("components").items().getFirst();
    assertThat(runtime.fields()).containsEntry("name", Json.of("jdk"));
    assertThat(runtime.fields().get("version").text()).contains(Runtime.version().feature() + ".");

    String run = "env -i PATH=/usr/bin:/bin HOME=\"$PWD\" PARLEY_JDK_DIRS= c/parley-1/parley ";
    Answer first = sh("mkdir c; tar -xzf a/parley-1.tar.gz -C c; " + run + "--version");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.err()).contains("Making Parley start fast");
    Answer second = sh(run + "--version");
    assertThat(second.out()).isEqualTo(first.out()).startsWith("parley ");
    assertThat(second.err()).isEmpty();
    try (var caches = Files.list(temporary.resolve("c/parley-1/lib/cache"))) {
      assertThat(caches).hasSize(3);
    }
  }
}
