package dev.tidemark.foundationdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.copy.CopyReport;
import dev.tidemark.kv.copy.StoreCopy;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.testkit.Guide;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The way of a store from the embedded engine to a cluster and back. The cluster is the adapter
 * over the facade of an engine whose versions begin low, as those of a new cluster do.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MoveToClusterTest {
  private static final Subspace EVENTS = Subspace.of(Tuple.of("events"));

  /** A new cluster stands at about a billion. */
  private static final long NEW_CLUSTER = 1_000_000_000L;

  private final EmbeddedDatabase embedded = EmbeddedDatabase.inMemory();
  private final TimeSource low = new LowTime(TimeSource.system());
  private final EmbeddedDatabase servers = EmbeddedDatabase.inMemory(o -> o.withTime(low));
  private final Database cluster =
      FoundationDb.over(
          FdbFacade.of(servers), FoundationDbOptions.DEFAULTS.withoutSamples(), Limits.DEFAULTS);

  @AfterEach
  void close() {
    cluster.close();
    servers.close();
    embedded.close();
  }

  private static void add(Database store, String event) {
    store.run(
        tx ->
            tx.mutate(
                MutationType.SET_VERSIONSTAMPED_KEY,
                EVENTS.packWithVersionstamp(Tuple.of(Versionstamp.incomplete(0))),
                event.getBytes(UTF_8)));
  }

  private static List<String> events(Database store) {
    return store.read(
        tx ->
            tx.scan(EVENTS.range()).stream()
                .map(KeyValue::value)
                .map(value -> new String(value, UTF_8))
                .toList());
  }

  private static List<KeyValue> rows(Database store) {
    return store.read(tx -> tx.scan(KeyRange.ALL).list());
  }

  private static long version(Database store) {
    return store.<Long, RuntimeException>read(ReadTransaction::readVersion);
  }

  @Test
  void newClusterIsRefusedUntilItsVersionIsAdvanced() {
    add(embedded, "first");
    add(embedded, "second");
    assertThat(version(cluster)).isLessThan(2 * NEW_CLUSTER);
    String message = refusal();
    assertThat(rows(cluster)).isEmpty();

    Matcher command = Pattern.compile("fdbcli --exec \"advanceversion (\\d+)\"").matcher(message);
    assertThat(command.find()).as(message).isTrue();
    servers.advanceVersion(Long.parseLong(command.group(1))); // What fdbcli does to a cluster.

    CopyReport report = StoreCopy.of(embedded, cluster).run();
    assertThat(report.rows()).isEqualTo(2);
    add(cluster, "third");
    assertThat(events(cluster)).containsExactly("first", "second", "third");
  }

  private String refusal() {
    try {
      move(embedded, cluster);
    } catch (UsageException refused) {
      return String.valueOf(refused.getMessage());
    }
    throw new AssertionError("A cluster whose versions are behind must be refused");
  }

  private static CopyReport move(Database from, Database to) {
    return StoreCopy.of(from, to).run();
  }

  /** Without the advance an event that is added would sort before those that were copied. */
  @Test
  void wayBackTakesTheVersionAlong() {
    long ahead = version(embedded) + 1_000_000_000_000L;
    servers.advanceVersion(ahead); // Recoveries have made the cluster's versions jump.
    add(cluster, "first");
    move(cluster, embedded);
    add(embedded, "second");
    assertThat(events(embedded)).containsExactly("first", "second");
  }

  @Test
  void rowsOfTheAdapterStayInTheirCluster() {
    servers.advanceVersion(version(embedded));
    cluster.run(tx -> tx.set(Key.utf8("a"), new byte[] {1})); // Leaves the id of its commit.
    assertThat(rows(cluster)).hasSizeGreaterThan(1);
    move(cluster, embedded);
    assertThat(rows(embedded)).hasSize(1);
  }

  /** Every block of Java in the guide's part about moving is part of this class. */
  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/foundationdb.md")
        .part("## Moving a store to a cluster, and back")
        .showsCodeOf(
            1,
            "tidemark-foundationdb/src/test/java/dev/tidemark/foundationdb/MoveToClusterTest.java");
  }

  /** The machine's clock, as if it were a quarter of an hour after 1970 began. */
  private record LowTime(TimeSource real, long begin) implements TimeSource {
    LowTime(TimeSource real) {
      this(real, real.wallMicros());
    }

    @Override
    public long wallMicros() {
      return NEW_CLUSTER + real.wallMicros() - begin;
    }

    @Override
    public long nanos() {
      return real.nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      real.sleep(duration);
    }
  }
}
