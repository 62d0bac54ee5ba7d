package dev.parley.coordination.bulletin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.bulletin.NoticeMarkers.Found;
import dev.parley.coordination.bulletin.NoticeMarkers.Malformed;
import dev.parley.core.Seed;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Markers in any text (seed 0.11). */
class NoticeMarkersTest {
  @Test
  void markersAreFoundWithTheirLine() {
    NoticeMarkers markers =
        NoticeMarkers.in(
            "a\nb <!-- BUS:discovery -->x<!-- /BUS -->\n<!-- BUS:warning -->\ny\n<!-- /BUS -->");

    assertThat(markers.malformed()).isEmpty();
    assertThat(markers.found())
        .containsExactly(
            new Found(Notice.Kind.DISCOVERY, "x", 2), new Found(Notice.Kind.WARNING, "y", 3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<!-- BUS:warning -->x | BUS:warning is never closed",
        "<!-- BUS:warning -->x<!-- BUS:intent -->y<!-- /BUS --> | BUS:warning is never closed",
        "<!-- BUS:odd -->x<!-- /BUS --> | a marker is BUS:discovery, BUS:warning or BUS:intent",
        "<!-- BUS:context -->x<!-- /BUS --> | a marker is BUS:discovery, BUS:warning or BUS:intent",
        "<!-- BUS -->x<!-- /BUS --> | a marker is BUS:discovery, BUS:warning or BUS:intent",
        "<!-- /BUS --> | /BUS has no beginning",
        "<!-- BUS:intent --> <!-- /BUS --> | BUS:intent is empty",
        "<!-- BUS:intent x | the marker has no -->",
      })
  void whatCantBeUnderstoodIsReported(String text, String reason) {
    assertThat(NoticeMarkers.in("first line\n" + text).malformed())
        .containsExactly(new Malformed(2, reason));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<!-- -->", "<!-- BUSY -->", "<!-- about the BUS: it -->", "<!--"})
  void otherCommentsAreNotMeant(String text) {
    assertThat(NoticeMarkers.in(text)).isEqualTo(new NoticeMarkers(List.of(), List.of()));
  }

  @Test
  void aTextThatIsTooLongIsReportedNotCut() {
    String longest = "x".repeat(Notice.LONGEST_TEXT);
    assertThat(NoticeMarkers.in("<!-- BUS:intent -->" + longest + "<!-- /BUS -->").found())
        .hasSize(1);
    assertThat(NoticeMarkers.in("<!-- BUS:intent -->x" + longest + "<!-- /BUS -->").malformed())
        .hasSize(1);
  }

  @Test
  void noTextBreaksTheSearch() {
    Random random = Seed.random("markers");
    String[] parts = {"<!--", "-->", "BUS", ":", "warning", "/", " ", "\n", "intent"};
    for (int run = 0; run < 2_000; run++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(40); i > 0; i--) {
        text.append(
            random.nextInt(4) == 0
                ? Seed.nastyText(random, 5)
                : parts[random.nextInt(parts.length)]);
      }
      NoticeMarkers markers = NoticeMarkers.in(text.toString());
      assertThat(markers.found())
          .allSatisfy(found -> assertThat(text.toString()).contains(found.text()))
          .allSatisfy(found -> assertThat(found.text()).isNotBlank());
    }
  }
}
