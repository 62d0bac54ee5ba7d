package dev.parley.dialects.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Seed 1.4, decided: one test for each row of the table on {@link LockDifferences}, and more. */
class LockDifferencesTest {
  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(600);
  private static final Instant EARLIER = NOW.minusSeconds(60);
  private static final String TAKEN_AT = Timestamps.format(EARLIER);

  /** Sessions of the file's own workers begin so here. */
  private static final String FOREIGN = "mounted ";

  private final Map<String, Json> file = new LinkedHashMap<>();
  private final Map<String, String> notes = new LinkedHashMap<>();

  private static Lease lease(long token, String holder, String session, String... paths) {
    List<PathPattern> patterns = List.of(paths).stream().map(PathPattern::of).toList();
    LeaseTerms terms =
        new LeaseTerms(holder, session, patterns, false, "", true, LeaseTerms.TTL, null);
    return new Lease(token, terms, EARLIER, LATER);
  }

  private static Lease ours(String... paths) {
    return lease(7, "alice", "s1", paths);
  }

  private static Lease theirs(String... paths) {
    return lease(8, "worker-1", FOREIGN + "worker-1", paths);
  }

  private void writes(String path, String worker, Instant until) {
    file.put(path, LockEntry.json(worker, TAKEN_AT, until, null));
  }

  private LockDifferences compare(Lease... leases) {
    return LockDifferences.of(
        LockEntry.all(file),
        List.of(leases),
        notes,
        lease -> lease.terms().session().startsWith(FOREIGN),
        NOW);
  }

  /** That this is all there is to do. */
  private static void only(LockDifferences found, List<?> part, Object... expected) {
    assertThat(part).as("%s", found).hasSize(expected.length);
    int all =
        found.taken().size()
            + found.longer().size()
            + found.freed().size()
            + found.lost().size()
            + found.missing().size()
            + found.ended().size();
    assertThat(all).as("%s", found).isEqualTo(expected.length);
    assertThat(found.isNone()).isEqualTo(expected.length == 0);
    assertThat(part.stream().map(LockDifferencesTest::path)).containsExactly(expected);
  }

  private static Object path(Object one) {
    return switch (one) {
      case LockEntry entry -> entry.path();
      case LockDifferences.Held held -> held.path();
      default -> one;
    };
  }

  @Test
  void whereBothSayTheSameNothingIsToBeDone() {
    writes("a", "alice", LATER);
    notes.put("a", "7 " + TAKEN_AT);
    writes("b", "worker-1", LATER);

    assertThat(compare(ours("a"), theirs("b")).isNone()).isTrue();
    assertThat(new LockDifferencesTest().compare().isNone()).isTrue();
  }

  @Test
  void aWorkersEntryThatTheLedgerHasNotIsTaken() {
    writes("a", "worker-1", LATER);
    LockDifferences free = compare();
    only(free, free.taken(), "a");

    LockDifferences overwritten = compare(ours("a"));
    only(overwritten, overwritten.taken(), "a");

    LockDifferences between = compare(lease(9, "worker-2", FOREIGN + "worker-2", "a"));
    only(between, between.taken(), "a");
  }

  @Test
  void aLockOverwrittenThoughItWasNotedIsTakenAndNotLost() {
    writes("a", "worker-1", LATER);
    file.put("a", LockEntry.json("worker-1", Timestamps.format(NOW), LATER, null));
    notes.put("a", "7 " + TAKEN_AT);

    LockDifferences found = compare(ours("a"));

    only(found, found.taken(), "a");
  }

  @Test
  void aWorkersEntryThatLastsLongerThanItsLeaseRenewsIt() {
    writes("a", "worker-1", LATER.plusSeconds(3));
    LockDifferences found = compare(theirs("a"));
    only(found, found.longer(), "a");
    assertThat(found.longer().getFirst().until()).isEqualTo(LATER.plusSeconds(3));

    writes("a", "worker-1", LATER.plusSeconds(2)); // clocks differ, and times are rounded
    assertThat(compare(theirs("a")).isNone()).isTrue();
  }

  @Test
  void aWorkersLeaseWithoutALiveEntryIsFreed() {
    LockDifferences gone = compare(theirs("a"));
    only(gone, gone.freed(), "a");

    writes("a", "worker-1", NOW); // expired at this very moment
    LockDifferences expired = compare(theirs("a"));
    only(expired, expired.freed(), "a");
  }

  @Test
  void anEntryOfOursThatVanishedIsLostAndOneThatWasNeverThereIsMissing() {
    LockDifferences missing = compare(ours("a"));
    only(missing, missing.missing(), "a");

    notes.put("a", "6 " + TAKEN_AT); // of an earlier lease
    LockDifferences other = compare(ours("a"));
    only(other, other.missing(), "a");

    notes.put("a", "7 " + TAKEN_AT);
    LockDifferences lost = compare(ours("a"));
    only(lost, lost.lost(), "a");

    writes("a", "alice", EARLIER);
    LockDifferences expired = compare(ours("a"));
    only(expired, expired.lost(), "a");
  }

  @Test
  void anEntryOfOursThatSaysSomethingElseIsWrittenAnew() {
    notes.put("a", "7 " + TAKEN_AT);
    writes("a", "alice", LATER.plusSeconds(1));
    LockDifferences time = compare(ours("a"));
    only(time, time.missing(), "a");

    file.put("a", Json.of("alice"));
    LockDifferences bare = compare(ours("a"));
    only(bare, bare.missing(), "a");

    notes.clear();
    writes("a", "alice", LATER);
    LockDifferences unnoted = compare(ours("a"));
    only(unnoted, unnoted.missing(), "a");
  }

  @Test
  void whatWeWroteIsRemovedOnceItsLeaseIsOver() {
    writes("a", "alice", LATER);
    notes.put("a", "7 " + TAKEN_AT);
    LockDifferences over = compare();
    only(over, List.copyOf(over.ended()), "a");

    file.clear();
    LockDifferences gone = compare();
    only(gone, List.copyOf(gone.ended()), "a");
  }

  @Test
  void whatIsLeftOfOursDoesNotKeepAWorkerFromItsLease() {
    writes("a", "alice", LATER);
    notes.put("a", "7 " + TAKEN_AT);

    LockDifferences found = compare(theirs("a"));

    assertThat(found.ended()).containsExactly("a");
    assertThat(found.taken()).isEmpty();
    assertThat(found.freed()).hasSize(1);
  }

  @Test
  void leasesThatTheFileCannotExpressAndThoseThatAreOverAreNoneOfItsBusiness() {
    LeaseTerms shared =
        new LeaseTerms(
            "alice", "s1", List.of(PathPattern.of("b")), true, "", true, LeaseTerms.TTL, null);
    Lease over = new Lease(3, ours("c").terms(), EARLIER, NOW);

    assertThat(compare(ours("src/*"), new Lease(2, shared, EARLIER, LATER), over).isNone())
        .isTrue();
  }

  @Test
  void ofALeaseOnSeveralPathsEachIsLookedAtAlone() {
    writes("a", "alice", LATER);
    notes.put("a", "7 " + TAKEN_AT);
    notes.put("b", "7 " + TAKEN_AT);
    writes("c", "worker-1", LATER);

    LockDifferences found = compare(ours("a", "b", "c", "d"));

    assertThat(found.lost()).extracting(LockDifferences.Held::path).containsExactly("b");
    assertThat(found.taken()).extracting(LockEntry::path).containsExactly("c");
    assertThat(found.missing()).extracting(LockDifferences.Held::path).containsExactly("d");
    assertThat(found.ended()).isEmpty();
  }

  @Test
  void whatWasOnlyAnnouncedIsMissingAndIsRemovedOnceItsLeaseIsOver() {
    notes.put("a", "7? " + TAKEN_AT);
    LockDifferences unwritten = compare(ours("a"));
    only(unwritten, unwritten.missing(), "a");

    writes("a", "alice", LATER);
    LockDifferences written = compare(ours("a"));
    only(written, written.missing(), "a");

    LockDifferences over = compare();
    only(over, List.copyOf(over.ended()), "a");
  }

  @Test
  void anEntryIsOursIfItWasTakenWhenTheNoteSays() {
    LockEntry entry = LockEntry.of("a", LockEntry.json("alice", TAKEN_AT, LATER, null));

    assertThat(LockDifferences.isNoted(entry, "7 " + TAKEN_AT)).isTrue();
    assertThat(LockDifferences.isNoted(entry, "7 " + Timestamps.format(NOW))).isFalse();
    assertThat(LockDifferences.isNoted(entry, null)).isFalse();
    assertThat(LockDifferences.isNoted(LockEntry.of("a", Json.of("alice")), "7 ")).isFalse();
  }
}
