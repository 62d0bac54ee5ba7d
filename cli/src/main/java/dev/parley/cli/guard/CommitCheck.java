package dev.parley.cli.guard;

import dev.parley.WorkingTree;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.ParleyException;
import dev.parley.orchestration.git.Git;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the paths of commits that other agents have leased. */
final class CommitCheck {
  /** The committer if none is named: a person at a keyboard. */
  static final String NOBODY_KNOWN = "human";

  private static final String TOKEN = "PARLEY_TOKEN";
  private static final String TASK = "PARLEY_TASK";
  private static final int MOST_INPUT = 1 << 20;

  private final Invocation invocation;
  private final String tree;
  private final @Nullable Session session;
  private final String name;
  private final List<Lease> leases;
  private final Instant now;

  private CommitCheck(Invocation invocation) {
    CommandContext context = CommandContext.open(invocation);
    this.invocation = invocation;
    this.tree = WorkingTree.of(invocation.shell().folder(), context.bus().path()).name();
    this.session = context.existingSession();
    String said = invocation.agent();
    this.name = session != null ? session.name() : said != null ? said : NOBODY_KNOWN;
    this.now = context.team().ledger().now();
    this.leases = context.team().ledger().look(ledger -> List.copyOf(ledger.leases().all()));
  }

  /**
   * One line for each staged path that must not be committed.
   *
   * @throws ParleyException if git can't say what is staged
   */
  static List<String> staged(Invocation invocation) {
    // Settings of the user must not hide a path.
    String out =
        Git.inHook(invocation.shell().folder())
            .run(
                "diff",
                "--cached",
                "--name-only",
                "--no-renames",
                "--no-relative",
                "--ignore-submodules=none",
                "-z");
    return check(invocation, paths(out));
  }

  /**
   * One line for each path of a pushed commit that must not be in it.
   *
   * @throws ParleyException if git can't say what is pushed
   */
  static List<String> pushed(Invocation invocation) throws IOException {
    byte[] input = invocation.shell().in().readNBytes(MOST_INPUT + 1);
    if (input.length > MOST_INPUT) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "too-many-refs",
          "More refs are pushed at once than the guard reads (" + MOST_INPUT + " bytes).",
          "Push them in several steps.");
    }
    Set<String> paths = new LinkedHashSet<>();
    for (String line : new String(input, StandardCharsets.UTF_8).lines().toList()) {
      String[] words = line.split(" ", -1);
      boolean deletes = words.length < 2 || words[1].matches("0*");
      if (!deletes && words[1].matches("[0-9a-f]+")) {
        // -c names the files that a merge changed itself.
        String out =
            Git.inHook(invocation.shell().folder())
                .run(
                    "log",
                    "--format=",
                    "--name-only",
                    "--no-renames",
                    "--no-relative",
                    "-c",
                    "-z",
                    words[1],
                    "--not",
                    "--remotes");
        paths.addAll(paths(out));
      }
    }
    return check(invocation, paths);
  }

  private static Set<String> paths(String out) {
    Set<String> paths = new LinkedHashSet<>();
    for (String text : out.split("\0", -1)) {
      String path = text.startsWith("\n") ? text.substring(1) : text;
      if (!path.isEmpty()) {
        paths.add(path);
      }
    }
    return paths;
  }

  private static List<String> check(Invocation invocation, Set<String> paths) {
    return paths.isEmpty() ? List.of() : new CommitCheck(invocation).refused(paths);
  }

  private List<String> refused(Set<String> paths) {
    String token = invocation.shell().variable(TOKEN);
    if (token != null && leases.stream().noneMatch(lease -> isToken(lease, token))) {
      return List.of(
          "The lease of token "
              + token
              + " has ended, so this commit may overwrite what others did since. Lock the paths"
              + " again, and look at them.");
    }
    List<String> refused = new ArrayList<>();
    String odd = null;
    for (String path : paths) {
      PathPattern pattern = PathPattern.find(PathPattern.quote(path));
      if (pattern == null) {
        odd = path;
        continue;
      }
      Lease other = inTheWay(pattern);
      if (other != null) {
        refused.add(
            other.holder()
                + " holds "
                + path
                + " until "
                + Times.system().clock(other.until())
                + (name.equals(NOBODY_KNOWN) ? "." : "; you are " + name + "."));
      }
    }
    if (odd != null && refused.isEmpty()) {
      var _ = PathPattern.of(PathPattern.quote(odd)); // says what is wrong with it
    }
    return refused;
  }

  private boolean isToken(Lease lease, String token) {
    return token.equals(Long.toString(lease.token())) && now.isBefore(lease.until());
  }

  private @Nullable Lease inTheWay(PathPattern path) {
    String task = invocation.shell().variable(TASK);
    for (Lease lease : leases) {
      boolean isNear = lease.terms().repo() || lease.terms().tree().equals(tree);
      boolean isOurs =
          lease.holder().equals(name) || (task != null && task.equals(lease.terms().task()));
      if (isNear
          && !isOurs
          && now.isBefore(lease.until())
          && lease.touches(path)
          && !(lease.terms().shared() && sharesToo(path))) {
        return lease;
      }
    }
    return null;
  }

  private boolean sharesToo(PathPattern path) {
    return leases.stream()
        .anyMatch(
            lease -> lease.holder().equals(name) && lease.terms().shared() && lease.touches(path));
  }
}
