package dev.parley.filelog;

import dev.parley.core.Topic;
import dev.parley.core.Views;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Keeps each view in {@code <bus>/views/<name>.json}, replaced as a whole. */
final class FileViews implements Views {
  static final String FOLDER = "views";

  private final Path folder;

  FileViews(Path bus) {
    this.folder = bus.resolve(FOLDER);
  }

  @Override
  public byte @Nullable [] load(String name) {
    Path file = file(name);
    try {
      SafeFiles.check(file, SafeFiles.Kind.FILE);
      return Files.readAllBytes(file);
    } catch (IOException e) {
      return null; // then it is folded from the start
    }
  }

  @Override
  public void save(String name, byte[] content) {
    try {
      SafeFiles.createFolder(folder);
      SafeFiles.replace(file(name), content);
    } catch (IOException e) {
      // The next reader will try again: nothing but time is lost.
    }
  }

  private Path file(String name) {
    // The rules of topics: a view is called like what it is of, and an agent's name may be long.
    return folder.resolve(new Topic(name) + ".json");
  }
}
