package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.Guide;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/loader.md. */
@Timeout(60)
class LoaderGuideTest {
  @TempDir private Path folder;

  @Test
  void streamIsLoadedIntoALocalFile() {
    Path file = folder.resolve("warehouse.duckdb");
    try (Database database = EmbeddedDatabase.inMemory();
        Pulse pulse = Pulse.on(database)) {
      EventStream readings = pulse.stream("readings", o -> o.keepingAll());
      readings.add(
          "reading",
          "{\"point_id\":\"p1\",\"timestamp\":\"800000000\",\"power\":\"350\"}"
              .getBytes(StandardCharsets.UTF_8));
      try (StreamSource source =
              StreamSource.open(
                  readings, "warehouse", o -> o.withAttributes(StreamSource.jsonAttributes()));
          DuckDbWarehouse warehouse = DuckDbWarehouse.open(file);
          Loader loader =
              Loader.open(
                  source,
                  warehouse,
                  InstantData.mapping(),
                  warehouse,
                  o -> o.withTablePolicy(Table.Policy.CREATE))) {
        LoadResult result = loader.drain(TimeBudget.of(Duration.ofMinutes(5)));
        assertThat(result.successful()).isTrue();
        assertThat(result.merged()).isEqualTo(1);
      }
    }
  }

  @Test
  void mappingIsDeclared() {
    TableMapping orders =
        TableMapping.table("orders")
            .json("id", ColumnType.INTEGER, Table.Role.KEY)
            .json("city", ColumnType.TEXT, Table.Role.OPTIONAL, "address", "city")
            .json("total", ColumnType.DECIMAL, Table.Role.REQUIRED)
            .attribute("tenant", ColumnType.TEXT, Table.Role.KEY)
            .build();
    assertThat(orders.table().keyColumns()).containsExactly(0, 3);

    Message message =
        Message.of("m", Instant.EPOCH, java.util.Map.of(), "{}".getBytes(StandardCharsets.UTF_8));
    assertThat(orders.map(message)).isEqualTo(new Mapping.Result.Rejected("missing id"));
  }

  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/loader.md")
        .showsCodeOf(2, "tidemark-loader/src/test/java/dev/tidemark/loader/LoaderGuideTest.java");
  }
}
