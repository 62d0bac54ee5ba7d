package dev.parley.orchestration.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeStateTest {
  @TempDir private Path folder;

  @Test
  void branchHeadUpstreamAndChangesAreRead() throws IOException {
    TestRepository origin = TestRepository.create(folder.resolve("origin"));
    Path clone = folder.resolve("clone");
    new Git(folder).run("clone", "--quiet", origin.folder().toString(), clone.toString());
    origin.commit("new", "1\n");
    Git git = new Git(clone);
    git.run("fetch", "--quiet");
    TestRepository.write(clone, "with space and ü", "x");
    git.run("mv", "README", "READ ME");
    TreeState state = TreeState.of(git);

    assertThat(state.branch()).isEqualTo("main");
    assertThat(state.isMain()).isTrue();
    assertThat(state.upstream()).isEqualTo("origin/main");
    assertThat(state.behind()).isEqualTo(1);
    assertThat(state.ahead()).isZero();
    assertThat(state.changed()).containsExactlyInAnyOrder("READ ME", "README", "with space and ü");

    git.run("reset", "--quiet", "--hard");
    git.run("checkout", "--quiet", "--detach");
    assertThat(TreeState.of(git).isDetached()).isTrue();
  }

  @Test
  void whatParleyWritesIsNoChange() throws IOException {
    TestRepository repository = TestRepository.create(folder.resolve("repository"));
    Exclusions.ensure(repository.git());
    Exclusions.ensure(repository.git());
    for (String file :
        new String[] {"runs/run_1/run.log", ".worktrees/x", ".conclave/bus/.pid", ".ralph.lock"}) {
      repository.write(file, "x");
    }
    assertThat(TreeState.of(repository.git()).isClean()).isTrue();
    assertThat(repository.folder().resolve(".git/info/exclude"))
        .content()
        .containsOnlyOnce("/runs/");
  }
}
