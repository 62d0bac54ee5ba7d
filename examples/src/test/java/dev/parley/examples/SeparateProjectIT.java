package dev.parley.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Installs the library as users do, and builds and runs a project of its own that depends on it.
 */
class SeparateProjectIT {
  private static final Path ROOT = Path.of(System.getProperty("parley.root"));

  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>com.example</groupId>
        <artifactId>uses-parley</artifactId>
        <version>1</version>
        <properties>
          <maven.compiler.release>25</maven.compiler.release>
          <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
        </properties>
        <dependencies>
          <dependency>
            <groupId>dev.parley</groupId>
            <artifactId>parley</artifactId>
            <version>0.1.0-SNAPSHOT</version>
          </dependency>
        </dependencies>
        <build>
          <plugins>
            <plugin>
              <groupId>org.apache.maven.plugins</groupId>
              <artifactId>maven-compiler-plugin</artifactId>
              <version>3.16.0</version>
            </plugin>
            <plugin>
              <groupId>org.apache.maven.plugins</groupId>
              <artifactId>maven-resources-plugin</artifactId>
              <version>3.5.0</version>
            </plugin>
          </plugins>
        </build>
      </project>
      """;

  @TempDir private Path folder;

  @Test
  void aSeparateMavenProjectCanDependOnWhatIsInstalled() throws Exception {
    Path repository = folder.resolve("repository");
    // The tools that are there already need not be fetched again; links, where they can be made.
    String known = System.getProperty("parley.repository");
    run(ROOT, "sh", "-c", "cp -al \"$0\" \"$1\" || cp -a \"$0\" \"$1\"", known, repository + "");
    String local = "-Dmaven.repo.local=" + repository;
    run(
        ROOT,
        "mvn",
        "-q",
        "-B",
        "-ntp",
        "-Dparley.quick",
        local,
        "-pl",
        "library",
        "-am",
        "install");
    Path project = Files.createDirectory(folder.resolve("project"));
    Files.writeString(project.resolve("pom.xml"), POM);
    Path source = Files.createDirectories(project.resolve("src/main/java"));
    String example =
        Files.readString(
                ROOT.resolve("examples/src/main/java/dev/parley/examples/AskAndAnswer.java"))
            .replace("package dev.parley.examples;", "");
    Files.writeString(source.resolve("AskAndAnswer.java"), example);

    run(project, "mvn", "-q", "-B", "-ntp", local, "compile");
    Path installed = repository.resolve("dev/parley");
    List<String> classPath = new ArrayList<>(List.of(project.resolve("target/classes") + ""));
    for (String artifact :
        List.of("parley", "parley-core", "parley-file-log", "parley-coordination")) {
      classPath.add(
          installed.resolve(artifact + "/0.1.0-SNAPSHOT/" + artifact + "-0.1.0-SNAPSHOT.jar") + "");
    }
    String java = ProcessHandle.current().info().command().orElse("java");
    String out = run(project, java, "-cp", String.join(":", classPath), "AskAndAnswer");

    assertThat(out.lines()).containsExactly("bob is asked: Which port?", "alice is told: 8080");

    // The same as a module: it reads the module dev.parley, and internal packages are closed to it.
    Files.delete(source.resolve("AskAndAnswer.java"));
    Files.deleteIfExists(project.resolve("target/classes/AskAndAnswer.class"));
    Path inPackage = Files.createDirectories(source.resolve("com/example"));
    Files.writeString(inPackage.resolve("AskAndAnswer.java"), "package com.example;\n" + example);
    Files.writeString(
        source.resolve("module-info.java"), "module com.example { requires dev.parley; }");
    run(project, "mvn", "-q", "-B", "-ntp", local, "compile");
    String asModule =
        run(
            project,
            java,
            "-p",
            String.join(":", classPath),
            "-m",
            "com.example/com.example.AskAndAnswer");

    assertThat(asModule).isEqualTo(out);
    Files.writeString(
        inPackage.resolve("Internal.java"),
        "package com.example;\nclass Internal { dev.parley.filelog.FileLog log; }\n");
    assertThat(tried(project, false, "mvn", "-q", "-B", "-ntp", local, "compile"))
        .contains("package dev.parley.filelog is not visible");
  }

  private String run(Path where, String... command) throws IOException, InterruptedException {
    return tried(where, true, command);
  }

  private String tried(Path where, boolean works, String... command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    String text = Files.readString(out);
    assertThat(process.exitValue() == 0)
        .as(String.join(" ", command) + "\n" + text)
        .isEqualTo(works);
    return text;
  }
}
