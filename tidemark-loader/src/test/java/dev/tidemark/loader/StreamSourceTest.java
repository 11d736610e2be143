package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StreamSourceTest {
  @TempDir private Path directory;
  private Database database;
  private Pulse pulse;
  private EventStream stream;

  @BeforeEach
  void open() {
    database = EmbeddedDatabase.inMemory();
    pulse = Pulse.on(database);
    stream = pulse.stream("readings", o -> o.keepingAll());
  }

  @AfterEach
  void close() {
    pulse.close();
    database.close();
  }

  private StreamSource source() {
    return StreamSource.open(
        stream, "warehouse", o -> o.withAttributes(StreamSource.jsonAttributes()));
  }

  private void add(String json) {
    stream.add("reading", json.getBytes(StandardCharsets.UTF_8));
  }

  private static String reading(String point, int second, int power) {
    return "{\"point_id\":\"%s\",\"timestamp\":\"%d\",\"power\":\"%d\"}"
        .formatted(point, second, power);
  }

  @Test
  void streamThatMayDropEventsIsRefusedUnlessLossIsAccepted() {
    EventStream unknown = pulse.stream("unknown");
    EventStream bounded = pulse.stream("bounded", o -> o.withLengthMax(10_000));
    EventStream mortal =
        pulse.stream("mortal", o -> o.keepingAll().withTimeToLive(Duration.ofDays(1)));

    assertThatThrownBy(() -> StreamSource.open(unknown, "w"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'unknown'")
        .hasMessageContaining("1,000")
        .hasMessageContaining("keepingAll()");
    assertThatThrownBy(() -> StreamSource.open(bounded, "w")).hasMessageContaining("10,000");
    assertThatThrownBy(() -> StreamSource.open(mortal, "w")).hasMessageContaining("PT24H");
    StreamSource.open(bounded, "w", StreamSource.Options::acceptingLoss).close();
  }

  @Test
  void streamThatWasBoundedKeepsWhatComesOnceALoaderIsThere() {
    EventStream published = pulse.stream("bounded");
    published.add("reading", reading("p", 0, 1).getBytes(StandardCharsets.UTF_8));
    MemoryWarehouse warehouse = new MemoryWarehouse();
    try (StreamSource source =
            StreamSource.open(
                pulse.stream("bounded", o -> o.keepingAll()),
                "warehouse",
                o -> o.withAttributes(StreamSource.jsonAttributes()));
        Loader loader = Loader.open(source, warehouse, InstantData.mapping(), letters -> {})) {
      for (int from = 1; from < 3_000; from += 500) {
        int begin = from;
        database.run(
            tx -> {
              for (int i = begin; i < begin + 500; i++) {
                published.add(
                    tx, "reading", "", reading("p", i, i).getBytes(StandardCharsets.UTF_8));
              }
            });
      }

      assertThat(loader.drain().merged()).isEqualTo(3_001);
    }
  }

  @Test
  void measurementsOfAStreamEndUpInTheWarehouseOnce() throws Exception {
    Path file = directory.resolve("warehouse.duckdb");
    for (int i = 0; i < 3_000; i++) {
      add(reading("p" + i % 7, 800_000_000 + i / 7, i));
    }
    add(reading("p0", 800_000_000, -250));
    add("{\"point_id\":\"p\",\"timestamp\":\"１\",\"power\":\"1\"}");
    add("no json");
    try (StreamSource source = source();
        DuckDbWarehouse warehouse = DuckDbWarehouse.open(file);
        Loader loader =
            Loader.open(
                source,
                warehouse,
                InstantData.mapping(),
                warehouse,
                o -> o.withTablePolicy(Table.Policy.CREATE))) {
      LoadResult result = loader.drain();

      assertThat(result.merged()).isEqualTo(3_001);
      assertThat(result.dead()).isEqualTo(2);
      assertThat(loader.drain().pulled()).isZero();
    }
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
        Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM instant_data")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(1)).isEqualTo(3_000);
      }
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT epoch_us(measured_at), power FROM instant_data WHERE point_id = 'p0' ORDER"
                  + " BY 1 LIMIT 1")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(1)).isEqualTo((800_000_000L + 946_652_400L) * 1_000_000);
        assertThat(rows.getLong(2)).isEqualTo(-250);
      }
    }
  }

  @Test
  void whatIsGivenBackGoesToAnotherLoader() {
    for (int i = 0; i < 100; i++) {
      add(reading("p", i, i));
    }
    MemoryWarehouse down = new MemoryWarehouse();
    down.behave((batch, store) -> new MergeOutcome.Impossible("no permission"));
    List<DeadLetter> letters = new ArrayList<>();
    try (StreamSource source = source();
        Loader loader = Loader.open(source, down, InstantData.mapping(), letters::addAll)) {
      LoadResult result = loader.drain();
      assertThat(result.nacked()).isEqualTo(100);
      assertThat(result.successful()).isFalse();

      MemoryWarehouse up = new MemoryWarehouse();
      try (StreamSource other = source();
          Loader second = Loader.open(other, up, InstantData.mapping(), letters::addAll)) {
        AtomicInteger merged = new AtomicInteger();
        Eventually.eventually(
            "the other loader gets them",
            () -> merged.addAndGet((int) second.drain().merged()) == 100);
        assertThat(up.table(2)).hasSize(100);
      }
    }
  }

  @Test
  void longMergeKeepsItsEvents() {
    for (int i = 0; i < 50; i++) {
      add(reading("p", i, i));
    }
    MemoryWarehouse slow = new MemoryWarehouse();
    slow.behave(
        (batch, store) -> {
          Eventually.pause(Duration.ofSeconds(4));
          return store.get();
        });
    try (StreamSource source =
            StreamSource.open(
                stream,
                "warehouse",
                o ->
                    o.withAttributes(StreamSource.jsonAttributes())
                        .withLease(Duration.ofMillis(1_500)));
        Loader loader = Loader.open(source, slow, InstantData.mapping(), list -> {})) {
      LoadResult result = loader.drain();

      assertThat(result.pulled()).isEqualTo(50);
      assertThat(result.merged()).isEqualTo(50);
      assertThat(loader.statistics().extensions()).isPositive();
    }
  }

  @Test
  void eventsOfOneMillisecondKeepTheirOrder() {
    database.run(
        tx -> {
          for (int i = 0; i < 20; i++) {
            stream.add(tx, "reading", "", reading("p", 1, i).getBytes(StandardCharsets.UTF_8));
          }
        });
    MemoryWarehouse warehouse = new MemoryWarehouse();
    try (StreamSource source = source();
        Loader loader =
            Loader.open(
                source,
                warehouse,
                InstantData.mapping(),
                list -> {},
                o -> o.withBatchMax(1, 900_000))) {
      assertThat(loader.drain().merged()).isEqualTo(20);
    }
    assertThat(warehouse.table(2).values()).containsExactly("19");
    assertThat(Map.copyOf(warehouse.table(2))).hasSize(1);
  }
}
