package dev.parley.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
  private static Table table() {
    Table table = new Table();
    table.row("AGENT", "STATE", "NOTE", "ROLE");
    table.row("ann", "here", "-", "reviews and tests");
    table.row("benjamin", "quiet", "-", "");
    return table;
  }

  @Test
  void columnsAreAligned() {
    assertThat(table().headed(80))
        .containsExactly(
            "AGENT     STATE  NOTE  ROLE",
            "ann       here   -     reviews and tests",
            "benjamin  quiet  -     ");
  }

  @Test
  void emptyColumnsGoFirst() {
    assertThat(table().headed(32))
        .containsExactly(
            "AGENT     STATE  ROLE",
            "ann       here   reviews and",
            "                 tests",
            "benjamin  quiet  ");
  }

  @Test
  void whatIsTooNarrowForColumnsIsAListWithNames() {
    assertThat(table().headed(20))
        .containsExactly(
            "ann", "  state here, role", "  reviews and tests", "benjamin", "  state quiet");
  }

  @Test
  void aHeadingAloneStays() {
    Table table = new Table();
    table.row("A", "B");
    assertThat(table.headed(80)).containsExactly("A  B");
  }
}
