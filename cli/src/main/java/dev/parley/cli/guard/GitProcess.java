package dev.parley.cli.guard;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a git command. Git gets our environment unchanged, because it tells a hook which
 * index a commit is made from.
 */
record GitProcess(int exitCode, String out) {
  static GitProcess run(Path folder, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process git =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (OutputStream in = git.getOutputStream()) {
      in.flush();
    }
    byte[] out = git.getInputStream().readAllBytes();
    return new GitProcess(git.waitFor(), new String(out, StandardCharsets.UTF_8));
  }

  String line() {
    return out.strip();
  }

  /** The texts between zero bytes, without duplicates. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (String text : out.split("\0", -1)) {
      String clean = text.startsWith("\n") ? text.substring(1) : text;
      if (!clean.isEmpty() && !texts.contains(clean)) {
        texts.add(clean);
      }
    }
    return texts;
  }
}
