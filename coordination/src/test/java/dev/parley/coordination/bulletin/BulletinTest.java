package dev.parley.coordination.bulletin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.OnEveryLog;
import dev.parley.coordination.Team;
import dev.parley.coordination.bulletin.Bulletins.Carried;
import dev.parley.coordination.bulletin.Bulletins.Listed;
import dev.parley.coordination.bulletin.Bulletins.Scanned;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.work.LockRequest;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What parallel workers can rely on, whichever log they are on (seed 0.9 to 0.12). */
class BulletinTest extends OnEveryLog {
  private static final String WAVE = "wave-1";

  private Team team;
  private Session alice;
  private Session bob;
  private Bulletins bulletins;

  @BeforeEach
  void openTeam() throws Exception {
    team = another();
    alice = team.join("alice");
    bob = team.join("bob");
    bulletins = team.bulletins();
  }

  private void post(Session who, String wave, Notice.Kind kind, String text) {
    var _ = bulletins.post(who, wave, kind, text, List.of());
  }

  private void post(Notice.Kind kind, String text) {
    post(alice, WAVE, kind, text);
  }

  private List<Notice> notices(String wave) {
    return another().bulletins().notices(wave).stream().map(Listed::notice).toList();
  }

  @Test
  void whatIsPostedSeveralTimesIsThereOnceWithACount() {
    post(Notice.Kind.DISCOVERY, "The API has pages");
    post(Notice.Kind.WARNING, "The API has pages");
    post(bob, WAVE, Notice.Kind.DISCOVERY, " the API  has\npages");

    List<Notice> notices = notices(WAVE);
    assertThat(notices)
        .extracting(Notice::kind)
        .containsExactly(Notice.Kind.WARNING, Notice.Kind.DISCOVERY);
    assertThat(notices.getLast().count()).isEqualTo(2);
    assertThat(notices.getLast().authors()).containsExactly("alice", "bob");
    assertThat(notices.getLast().text()).isEqualTo("The API has pages");
  }

  @Test
  void anyToolMayPostWithAPlainLine() {
    var _ =
        place
            .log()
            .append(
                Bulletin.topic(WAVE),
                List.of(
                    Message.of("ci", "board.warning", Json.object().put("text", "red").build()),
                    Message.of("ci", "board.warning", Json.of("no text")),
                    Message.of("ci", "other", Json.object().put("text", "?").build())));

    assertThat(notices(WAVE)).extracting(Notice::text).containsExactly("red");
  }

  @Test
  void aWaveIsATopicAndNothingElse() {
    refused("bad-topic", () -> post(alice, "../x", Notice.Kind.WARNING, "x"));
    refused("bad-topic", () -> notices("a/b"));
    refused("bad-notice", () -> post(Notice.Kind.WARNING, " "));
    refused("bad-notice", () -> post(Notice.Kind.WARNING, "x".repeat(Notice.LONGEST_TEXT + 1)));
    refused("same-wave", () -> bulletins.carry(alice, WAVE, WAVE));
    refused(
        "bad-path",
        () -> bulletins.post(alice, WAVE, Notice.Kind.INTENT, "x", List.of("/etc/passwd")));
    assertThat(bulletins.waves()).isEmpty();
    post(Notice.Kind.WARNING, "x".repeat(Notice.LONGEST_TEXT));
    assertThat(bulletins.waves()).containsExactly(WAVE);
  }

  @Test
  void anIntentSaysWhoElseIsAtIt() {
    var _ = team.locks(bob).lock(LockRequest.of("src/auth/**"));
    post(bob, WAVE, Notice.Kind.INTENT, "Changing `src/auth/handler.go`, and README.md.");
    List<IntentConflict> both =
        bulletins
            .post(alice, WAVE, Notice.Kind.INTENT, "Modifying src/auth/handler.go", List.of())
            .overlaps();
    assertThat(both)
        .extracting(IntentConflict::toString)
        .containsExactly(
            "bob holds src/auth/**", "bob intends to change src/auth/handler.go README.md");
    assertThat(bulletins.post(alice, WAVE, Notice.Kind.INTENT, "this", List.of("docs/")).overlaps())
        .isEmpty();
    assertThat(
            bulletins.post(alice, WAVE, Notice.Kind.INTENT, "all md", List.of("*.md")).overlaps())
        .extracting(IntentConflict::agent)
        .containsExactly("bob");
    assertThat(
            bulletins
                .post(alice, WAVE, Notice.Kind.DISCOVERY, "see src/auth/x.go", List.of())
                .overlaps())
        .isEmpty();
    assertThat(
            String.join(
                "\n", BulletinPage.of(WAVE, bulletins.notices(WAVE), 20, 4_000, "all of " + WAVE)))
        .contains("OVERLAPS: bob holds src/auth/");
  }

  @Test
  void tenDiscoveriesAndAllWarningsAreCarriedOverWithoutNesting() {
    for (int i = 0; i < 15; i++) {
      post(Notice.Kind.DISCOVERY, "discovery " + i);
      post(Notice.Kind.WARNING, "warning " + i);
      post(Notice.Kind.INTENT, "intent " + i);
    }
    post(Notice.Kind.CONTEXT, "what wave 0 left");

    Carried first = bulletins.carry(bob, WAVE, "wave-2");
    assertThat(first.discoveries())
        .extracting(Notice::text)
        .containsExactly(
            "discovery 5",
            "discovery 6",
            "discovery 7",
            "discovery 8",
            "discovery 9",
            "discovery 10",
            "discovery 11",
            "discovery 12",
            "discovery 13",
            "discovery 14");
    assertThat(first.warnings()).hasSize(15);
    assertThat(notices("wave-2")).hasSize(25);
    assertThat(bulletins.carry(alice, WAVE, "wave-2").already()).isEqualTo(25);

    post(bob, "wave-2", Notice.Kind.DISCOVERY, "new");
    var _ = bulletins.carry(bob, "wave-2", "wave-3");
    List<Notice> third = notices("wave-3");
    assertThat(third).hasSize(25);
    assertThat(third)
        .filteredOn(notice -> notice.text().equals("new"))
        .extracting(Notice::wave)
        .containsExactly("wave-2");
    assertThat(third)
        .filteredOn(notice -> notice.text().startsWith("warning"))
        .hasSize(15)
        .allSatisfy(notice -> {
          assertThat(notice.wave()).isEqualTo(WAVE);
          assertThat(notice.authors()).containsExactly("alice");
          assertThat(notice.count()).isEqualTo(1);
        });
  }

  @Test
  void whatIsMarkedInATextIsPostedOnceAndWhatIsMalformedIsReported() {
    String text =
        """
        Done. <!-- BUS:discovery -->The API has pages<!-- /BUS -->
        <!--bus:warning-->v2 of X
        breaks auth<!--/bus-->
        <!-- BUS:odd -->?<!-- /BUS -->
        <!-- BUS:intent -->src/a.ts<!-- /BUS --> <!-- BUS:intent -->never closed
        """;
    Scanned scanned = bulletins.scan(alice, WAVE, text);

    assertThat(notices(WAVE))
        .extracting(notice -> notice.kind() + " " + notice.text())
        .containsExactly(
            "DISCOVERY The API has pages", "WARNING v2 of X\nbreaks auth", "INTENT src/a.ts");
    assertThat(scanned.malformed()).extracting(NoticeMarkers.Malformed::line).containsExactly(4, 5);
    Scanned again = bulletins.scan(alice, WAVE, text);
    assertThat(again.posted()).isEmpty();
    assertThat(again.already()).hasSize(3);
    assertThat(bulletins.scan(bob, WAVE, text).posted()).hasSize(3);
    assertThat(notices(WAVE))
        .filteredOn(n -> n.kind() != Notice.Kind.INTENT)
        .allSatisfy(notice -> assertThat(notice.count()).isEqualTo(2));
  }

  @Test
  void aBlockForAContextNeverTakesMoreThanItsBudget() {
    Random random = Seed.random("bulletins within a budget");
    for (int i = 0; i < 60; i++) {
      Notice.Kind kind = List.of(Notice.Kind.values()).get(random.nextInt(4));
      post(kind, "x" + i + Seed.nastyText(random, 200));
    }
    for (int budget : new int[] {150, 400, 1_000, 10_000}) {
      List<String> page =
          BulletinPage.of(WAVE, bulletins.notices(WAVE), 20, budget, "all of " + WAVE);
      int tokens = page.stream().mapToInt(line -> TokenEstimate.in(line + "\n")).sum();
      assertThat(tokens).as("budget " + budget).isLessThanOrEqualTo(budget);
    }
  }
}
