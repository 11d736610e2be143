package dev.tidemark.records.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows shown for people. */
class TableWriterTest {
  @Test
  void columnsAreAsWideAsTheFirstRowsNeed() {
    List<String> lines = new ArrayList<>();
    TableWriter writer = TableWriter.to(lines::add, List.of("a", "b"));
    for (int i = 0; i < 1_000; i++) {
      writer.add(List.of("x", i));
    }
    assertThat(lines).hasSize(1_002).startsWith("a | b", "--+----", "x | 0");
    writer.add(List.of("wider", 1));
    writer.end();
    assertThat(lines).endsWith("wider | 1", "(1,001 rows)");
  }
}
