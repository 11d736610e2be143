package dev.tidemark.changes.spanner;

import static dev.tidemark.testkit.Eventually.eventually;
import static dev.tidemark.testkit.spanner.SpannerScript.change;
import static dev.tidemark.testkit.spanner.SpannerScript.child;
import static dev.tidemark.testkit.spanner.SpannerScript.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Options;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RetryOptions;
import dev.tidemark.changes.StartAt;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.spanner.FakeSpanner;
import dev.tidemark.testkit.spanner.SpannerScript;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Google's client against a service that answers as a script says. */
class FakeSpannerTest {
  private static final String DATABASE = "projects/p/instances/i/databases/d";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Instant START = Instant.parse("2026-03-04T05:00:00Z");

  private final List<Long> seen = new CopyOnWriteArrayList<>();
  private final MetadataStore metadata = MetadataStore.inMemory(TimeSource.system());

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }

  private static ReaderOptions options() {
    return ReaderOptions.forRun("run")
        .withStart(StartAt.time(START))
        .withHeartbeat(Duration.ofMillis(100))
        .withDetectionInterval(Duration.ofMillis(10))
        .withRetry(
            RetryOptions.defaults()
                .withPauses(Duration.ofMillis(1), 2, Duration.ofMillis(5))
                .withRetries(2));
  }

  private static SpannerChangesOptions connection(FakeSpanner spanner) {
    return SpannerChangesOptions.forStream(DATABASE, "ledger")
        .withEmulator(spanner.address())
        .withPartitions(20);
  }

  /** Reads all with {@code options} and returns how the reader ended. */
  private EndReason read(FakeSpanner spanner, ReaderOptions options) throws Exception {
    try (SpannerChanges changes = SpannerChanges.open(connection(spanner));
        ChangeReader reader = changes.reader(options, metadata)) {
      reader.start(delivery -> seen.add(id(delivery.change())));
      return reader.await(PATIENCE).orElseThrow();
    }
  }

  private static long id(DataChange change) {
    return (long) change.mods().getFirst().keys().get("id").orElseThrow();
  }

  private static ChangeSourceException failure(EndReason end) {
    assertThat(end).isInstanceOf(EndReason.Failed.class);
    Throwable cause = ((EndReason.Failed) end).cause();
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof ChangeSourceException known) {
        return known;
      }
    }
    throw new AssertionError("No failure of the source", cause);
  }

  /** One partition, {@code p}, that is answered by {@code partition}. */
  private static SpannerScript onePartition(SpannerScript partition) {
    return (query, rows) -> {
      if (query.token().isEmpty()) {
        rows.record(child(query.start(), "p"));
      } else {
        partition.answer(query, rows);
      }
    };
  }

  private static FakeSpanner start(boolean postgreSql, SpannerScript script) {
    return postgreSql ? FakeSpanner.postgreSql(script) : FakeSpanner.googleSql(script);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void connectionThatBreaksInTheMiddleLosesAndRepeatsNothing(boolean postgreSql) throws Exception {
    AtomicInteger breaks = new AtomicInteger();
    SpannerScript script =
        onePartition(
            (query, rows) -> {
              for (int i = 0; i < 200; i++) {
                rows.record(change(at(i), i, i));
                if (i % 50 == 49 && breaks.getAndIncrement() < 3) {
                  throw rows.failure(Status.Code.UNAVAILABLE, "the connection is lost");
                }
              }
            });
    try (FakeSpanner spanner = start(postgreSql, script)) {
      assertThat(read(spanner, options().withEnd(at(500)))).isEqualTo(new EndReason.Completed());
    }
    assertThat(seen).hasSize(200).isSorted().doesNotHaveDuplicates();
    assertThat(breaks).hasValueGreaterThan(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void queriesHaveThePriorityTheTagAndTheRoleOfTheConnection(boolean postgreSql) throws Exception {
    List<SpannerScript.Query> asked = new CopyOnWriteArrayList<>();
    SpannerScript script = onePartition((query, rows) -> rows.record(change(at(1), 1, 1)));
    SpannerScript noting =
        (query, rows) -> {
          asked.add(query);
          script.answer(query, rows);
        };
    try (FakeSpanner spanner = start(postgreSql, noting);
        SpannerChanges changes =
            SpannerChanges.open(
                connection(spanner)
                    .withPriority(Options.RpcPriority.LOW)
                    .withRequestTag("app=audit")
                    .withDatabaseRole("auditor"));
        ChangeReader reader = changes.reader(options().withEnd(at(500)), metadata)) {
      reader.start(delivery -> seen.add(id(delivery.change())));
      assertThat(reader.await(PATIENCE).orElseThrow()).isEqualTo(new EndReason.Completed());
    }
    assertThat(asked)
        .hasSizeGreaterThan(1)
        .allSatisfy(
            query -> {
              assertThat(query.priority()).isEqualTo("PRIORITY_LOW");
              assertThat(query.tag()).isEqualTo("app=audit");
              assertThat(query.role()).isEqualTo("auditor");
            });
  }

  @Test
  void noMorePartitionsAreReadAtATimeThanThereAreConnectionsFor() throws Exception {
    SpannerScript script =
        (query, rows) -> {
          if (query.token().isEmpty()) {
            for (int i = 0; i < 5; i++) {
              rows.record(child(query.start(), "p" + i));
            }
          } else {
            rows.record(change(at(1), 1, 1));
            rows.hang();
          }
        };
    try (FakeSpanner spanner = FakeSpanner.googleSql(script);
        SpannerChanges changes = SpannerChanges.open(connection(spanner).withPartitions(2));
        ChangeReader reader = changes.reader(options(), metadata)) {
      reader.start(delivery -> seen.add(id(delivery.change())));
      eventually(
          () -> "two are read and three wait: " + reader.statistics(),
          () ->
              reader.statistics().reading() == 2
                  && reader.statistics().partitions().getOrDefault(PartitionRow.State.CREATED, 0L)
                      == 3);
    }
  }

  @Test
  void queryWhoseWindowEndsIsFollowedByOneFromItsLastRecord() throws Exception {
    List<SpannerScript.Query> asked = new CopyOnWriteArrayList<>();
    Instant now = Instant.now();
    SpannerScript script =
        onePartition(
            (query, rows) -> {
              asked.add(query);
              int count = asked.size();
              rows.record(change(now.plusMillis(count), count, count));
              if (count > 3) {
                rows.hang();
              }
            });
    try (FakeSpanner spanner = FakeSpanner.googleSql(script);
        SpannerChanges changes =
            SpannerChanges.open(connection(spanner).withQueryWindow(Duration.ofSeconds(1)));
        ChangeReader reader = changes.reader(options().withStart(StartAt.time(now)), metadata)) {
      reader.start(delivery -> seen.add(id(delivery.change())));
      eventually("the changes of four windows", () -> seen.size() == 4);
      assertThat(reader.endReason()).isEmpty();
    }
    assertThat(seen).containsExactly(1L, 2L, 3L, 4L);
    assertThat(asked.get(1).start()).isEqualTo(now.plusMillis(1));
    assertThat(asked).allMatch(query -> query.end().isPresent());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OUT_OF_RANGE        | heartbeat_milliseconds must be within 100 | INVALID_ARGUMENT",
        "OUT_OF_RANGE        | start_timestamp is too far in the future  | INVALID_ARGUMENT",
        "OUT_OF_RANGE        | start_timestamp is invalid for the partition | INVALID_POSITION",
        "INVALID_ARGUMENT    | partition_token is invalid                | INVALID_ARGUMENT",
        "PERMISSION_DENIED   | the role may not                          | PERMISSION_DENIED",
        "NOT_FOUND           | Database not found                        | GONE",
        "INVALID_ARGUMENT    | Table-valued function not found: READ_ledger | GONE"
      })
  void refusalIsToldApartAndNotTriedAgain(Status.Code code, String text, Kind kind)
      throws Exception {
    AtomicInteger asked = new AtomicInteger();
    SpannerScript script =
        onePartition(
            (query, rows) -> {
              asked.incrementAndGet();
              throw rows.failure(code, text);
            });
    try (FakeSpanner spanner = FakeSpanner.googleSql(script)) {
      EndReason end = read(spanner, options());
      assertThat(failure(end).kind()).isEqualTo(kind);
      assertThat(((EndReason.Failed) end).cause()).hasMessageContaining("Partition p");
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void startThatIsTooOldIsAGapAndSkippedIfThePolicySaysSo() throws Exception {
    Instant earliest = at(100);
    SpannerScript script =
        onePartition(
            (query, rows) -> {
              if (query.start().isBefore(earliest)) {
                throw rows.failure(
                    Status.Code.OUT_OF_RANGE,
                    "Specified start_timestamp is too far in the past; earliest read timestamp: "
                        + earliest);
              }
              // The earliest time moves on while the reader asks, so it begins a little later.
              rows.record(change(at(120), 1, 1));
            });
    try (FakeSpanner spanner = FakeSpanner.googleSql(script)) {
      assertThat(failure(read(spanner, options().withEnd(at(200)))).kind()).isEqualTo(Kind.TOO_OLD);
      assertThat(seen).isEmpty();
      ReaderOptions skipping = options().withEnd(at(200)).withOnGap(ReaderOptions.OnGap.SKIP);
      assertThat(read(spanner, skipping)).isEqualTo(new EndReason.Completed());
    }
    assertThat(seen).containsExactly(1L);
  }

  /** What Spanner says to a query that starts before {@code earliest}. */
  private static SpannerScript keptFrom(Supplier<Instant> earliest) {
    return (query, rows) -> {
      Instant first = earliest.get();
      if (query.start().isBefore(first)) {
        throw rows.failure(
            Status.Code.OUT_OF_RANGE,
            "Specified start_timestamp is too far in the past; earliest read timestamp: " + first);
      }
      rows.record(child(query.start(), "p"));
    };
  }

  @Test
  void streamThatIsYoungerThanItsRetentionBeginsExactlyWithItsCreation() {
    Instant created = Instant.now().minus(Duration.ofDays(3)).truncatedTo(ChronoUnit.MICROS);
    try (FakeSpanner spanner = FakeSpanner.googleSql(keptFrom(() -> created));
        SpannerChanges changes = SpannerChanges.open(connection(spanner))) {
      Position earliest = changes.source().earliest();
      assertThat(changes.source().timeOf(earliest)).isEqualTo(created);
    }
  }

  @Test
  void earliestTimeThatMovesOnIsTakenWithSomeTimeToSpare() {
    Supplier<Instant> moving = () -> Instant.now().minus(Duration.ofDays(1));
    try (FakeSpanner spanner = FakeSpanner.googleSql(keptFrom(moving));
        SpannerChanges changes = SpannerChanges.open(connection(spanner))) {
      Instant before = moving.get();
      Position earliest = changes.source().earliest();
      assertThat(changes.source().timeOf(earliest)).isAfter(before.plusSeconds(9));
    }
  }

  @Test
  void streamOfMutableKeyRangesIsRefusedByName() throws Exception {
    try (FakeSpanner spanner = FakeSpanner.googleSql((query, rows) -> rows.mutableKeyRange())) {
      assertThat(failure(read(spanner, options()))).hasMessageContaining("MUTABLE_KEY_RANGE");
    }
  }

  @Test
  void silentQueryIsCancelledAndAskedAgain() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    SpannerScript script =
        onePartition(
            (query, rows) -> {
              if (asked.getAndIncrement() == 0) {
                rows.record(change(at(1), 1, 1));
                rows.hang();
              }
              rows.record(change(at(1), 1, 1));
              rows.record(heartbeat(at(2)));
              rows.record(change(at(3), 3, 3));
            });
    try (FakeSpanner spanner = FakeSpanner.googleSql(script)) {
      EndReason end = read(spanner, options().withEnd(at(9)).withMissedHeartbeats(3));
      assertThat(end).isEqualTo(new EndReason.Completed());
    }
    assertThat(seen).containsExactly(1L, 3L);
  }

  @Test
  void allOfAThousandPartitionsProgressAndFewPlatformThreadsServeThem() throws Exception {
    int partitions = 1_000;
    SpannerScript script =
        (query, rows) -> {
          if (query.token().isEmpty()) {
            for (int i = 0; i < partitions; i++) {
              rows.record(child(query.start(), Integer.toString(i)));
            }
          } else {
            rows.record(change(at(1), Integer.parseInt(query.token()), 1));
            rows.hang();
          }
        };
    Set<Long> ids = ConcurrentHashMap.newKeySet();
    try (FakeSpanner spanner = FakeSpanner.googleSql(script)) {
      try (SpannerChanges changes =
              SpannerChanges.open(connection(spanner).withPartitions(partitions));
          ChangeReader reader =
              changes.reader(options().withHeartbeat(Duration.ofMinutes(5)), metadata)) {
        reader.start(delivery -> ids.add(id(delivery.change())));
        eventually(
            "a change of each partition",
            () -> ids.size() == partitions || reader.endReason().isPresent());
        assertThat(reader.endReason()).isEmpty();
        assertThat(spanner.openQueries()).isEqualTo(partitions);
        assertThat(Thread.getAllStackTraces().keySet().stream().filter(t -> !t.isVirtual()).count())
            .as("platform threads, those of the service included")
            .isLessThanOrEqualTo(100);
      }
      eventually("no query is left open", () -> spanner.openQueries() == 0);
    }
  }
}
