package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkingTreeTest {
  @TempDir private Path root;

  private WorkingTree tree;

  @BeforeEach
  void makeARepository() throws IOException {
    Files.createDirectory(root.resolve(".git"));
    tree = WorkingTree.of(root, root.resolve(".parley"));
  }

  @Test
  void aListOfPathsIsRefusedBecauseAsOnePathItWouldProtectNothing() {
    assertThatThrownBy(() -> tree.pattern("src/a.ts,src/b.ts"))
        .isInstanceOf(ParleyException.class)
        .hasMessage("\"src/a.ts,src/b.ts\" looks like a list, and no file has this name.");
  }

  @Test
  void commasInPatternsAndInNamesOfFilesThatExistAreNoLists() throws IOException {
    Files.createFile(root.resolve("a,b.txt"));

    assertThat(tree.pattern("a,b.txt")).isEqualTo("a,b.txt");
    assertThat(tree.pattern("src/{a,b}.ts")).isEqualTo("src/{a,b}.ts");
  }
}
