package dev.tidemark.changes.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Spanner;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.Lineage;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.StartAt;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Google's emulator, splits and merges every second or two, and a reader that is abandoned. The
 * emulator runs one writing transaction at a time in each database and aborts all others; so the
 * metadata have a database of their own.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SpannerEmulatorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int COMMITS = 400;
  private static final int KEYS = 10;
  private static final int WRITERS = 2;

  private static @Nullable Emulator emulator;

  private record Seen(long key, long value) {}

  @BeforeAll
  static void startEmulator() throws Exception {
    emulator = Emulator.start().orElse(null);
    Assumptions.assumeTrue(emulator != null, "no Spanner emulator");
  }

  @AfterAll
  static void stopEmulator() {
    if (emulator != null) {
      emulator.close();
    }
  }

  private static Emulator emulator() {
    if (emulator == null) {
      throw new IllegalStateException("The emulator was not started");
    }
    return emulator;
  }

  private static List<String> ddl(Dialect dialect) {
    return dialect == Dialect.POSTGRESQL
        ? List.of(
            "CREATE TABLE account (id bigint NOT NULL, balance bigint, PRIMARY KEY (id))",
            "CREATE CHANGE STREAM ledger FOR ALL")
        : List.of(
            "CREATE TABLE account (id INT64 NOT NULL, balance INT64) PRIMARY KEY (id)",
            "CREATE CHANGE STREAM ledger FOR ALL");
  }

  @ParameterizedTest
  @EnumSource(
      value = Dialect.class,
      names = {"GOOGLE_STANDARD_SQL", "POSTGRESQL"})
  void nothingIsMissingAndNoKeyGoesBackOverSplitsMergesAndAnAbandonedReader(Dialect dialect)
      throws Exception {
    String database = emulator().database(dialect, ddl(dialect));
    String metadata = emulator().database(dialect, List.of());
    SpannerChangesOptions options =
        SpannerChangesOptions.forStream(database, "ledger")
            .withEmulator(emulator().address)
            .withMetadataDatabase(metadata)
            .withPartitions(50);
    List<Seen> first = new CopyOnWriteArrayList<>();
    List<Seen> second = new CopyOnWriteArrayList<>();
    try (SpannerChanges changes = SpannerChanges.open(options)) {
      changes.metadata().createTables();
      changes.metadata().createTables();
      ReaderOptions live =
          ReaderOptions.forRun("ledger")
              .withStart(StartAt.position(changes.source().now()))
              .withLease(Duration.ofSeconds(2))
              .withHeartbeat(Duration.ofMillis(200));
      try (ChangeReader abandoned = changes.reader(live)) {
        abandoned.start(delivery -> add(first, delivery.change()));
        write(database, 0, COMMITS / 2);
        await(abandoned, "changes of the first reader", () -> distinct(first) > COMMITS / 4);
      }
      write(database, COMMITS / 2, COMMITS);
      try (ChangeReader next = changes.reader(live)) {
        next.start(delivery -> add(second, delivery.change()));
        await(next, "all changes", () -> distinct(first, second) == COMMITS);
        assertThat(next.stop(PATIENCE)).isInstanceOf(EndReason.Stopped.class);
      }
      System.out.printf(
          "Spanner emulator, %s: %d + %d deliveries, %d partitions%n",
          dialect,
          first.size(),
          second.size(),
          Lineage.of(changes.metadata(), "ledger").partitions().size());
      assertThat(inversions(first)).isZero();
      assertThat(inversions(second)).isZero();
      assertThat(Lineage.of(changes.metadata(), "ledger").partitions()).hasSizeGreaterThan(2);
      assertThat(printed("tail", database, "--until", "now").lines()).hasSize(COMMITS);
      assertThat(printed("partitions", database)).contains("\"token\":");
      assertThat(printed("lineage", database)).contains("\"ENDED\"", "\"ACTIVE\"");
      assertThat(printed("lineage", database, "--run", "ledger", "--metadata", metadata))
          .contains("\"FINISHED\"", "\"epoch\":");
      changes.metadata().dropTables();
    }
  }

  /** What the command {@code changes} prints as JSON. */
  private static String printed(String command, String database, String... options) {
    List<String> words = new ArrayList<>(List.of(command, database, "ledger", "--json"));
    words.addAll(List.of(options));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        new ChangesCommand(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of("SPANNER_EMULATOR_HOST", emulator().address))
            .run(words.toArray(String[]::new));
    assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  private static void add(List<Seen> seen, DataChange change) {
    change
        .mods()
        .forEach(
            mod ->
                seen.add(
                    new Seen(
                        (long) mod.keys().get("id").orElseThrow(),
                        (long) mod.newValues().get("balance").orElseThrow())));
  }

  /** Each writer has keys of its own, so that the values of a key grow. */
  private static void write(String database, int from, int to) throws Exception {
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int own = writer;
        running.add(writers.submit(() -> write(database, from, to, own)));
      }
      for (Future<?> each : running) {
        each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  private static void write(String database, int from, int to, int writer) {
    try (Spanner spanner = emulator().client()) {
      DatabaseClient client = spanner.getDatabaseClient(DatabaseId.of(database));
      for (int i = from; i < to; i++) {
        if (i % KEYS % WRITERS == writer) {
          client.write(
              List.of(
                  Mutation.newInsertOrUpdateBuilder("account")
                      .set("id")
                      .to(i % KEYS)
                      .set("balance")
                      .to(i)
                      .build()));
        }
      }
    }
  }

  private static void await(ChangeReader reader, String what, BooleanSupplier reached)
      throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!reached.getAsBoolean() && System.nanoTime() < deadline) {
      assertThat(reader.endReason()).as("end of the reader").isEmpty();
      Thread.sleep(50);
    }
    assertThat(reached.getAsBoolean()).as(what).isTrue();
  }

  @SafeVarargs
  private static int distinct(List<Seen>... lists) {
    Set<Seen> all = new HashSet<>();
    for (List<Seen> each : lists) {
      synchronized (each) {
        all.addAll(each);
      }
    }
    return all.size();
  }

  private static int inversions(List<Seen> seen) {
    Map<Long, Long> last = new HashMap<>();
    int count = 0;
    synchronized (seen) {
      for (Seen each : seen) {
        Long before = last.put(each.key(), each.value());
        if (before != null && before > each.value()) {
          count++;
        }
      }
    }
    return count;
  }
}
