package dev.tidemark.bench.changes;

import com.google.cloud.NoCredentials;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.changes.ChangeBatch;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.StartAt;
import dev.tidemark.changes.spanner.SpannerChanges;
import dev.tidemark.changes.spanner.SpannerChangesOptions;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.spanner.FakeSpanner;
import dev.tidemark.testkit.spanner.PreparedRows;
import dev.tidemark.testkit.spanner.SpannerScript;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The reader on a fake of Spanner's service in this process: how fast beside a loop over the rows
 * of Google's client, and how many platform threads serve a thousand partitions.
 */
final class SpannerBench {
  private static final String DATABASE = "projects/p/instances/i/databases/d";
  private static final Instant START = Instant.parse("2026-03-04T05:00:00Z");
  private static final int PARTITIONS = 4;
  private static final int MANY_PARTITIONS = 1_000;

  /** Rows that are made before take some kilobytes each. */
  private static final int CHANGES_MAX = 40_000;

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Kept, because a logger that nobody holds forgets its level. */
  private static final Logger GOOGLE = Logger.getLogger("com.google.cloud");

  private final Plan plan;
  private final Report report;
  private final int share;

  SpannerBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.share = Math.min(CHANGES_MAX, plan.keys()) / PARTITIONS;
  }

  void run(Results results) throws Exception {
    GOOGLE.setLevel(Level.WARNING);
    report.part("a fake of Spanner: the reader, and a loop over the rows of Google's client");
    List<String> records = new ArrayList<>();
    for (int i = 1; i <= share; i++) {
      records.add(SpannerScript.change(START.plusSeconds(i), i, i));
    }
    PreparedRows prepared = PreparedRows.googleSql(records);
    try (FakeSpanner fake =
        FakeSpanner.googleSql(
            (query, rows) -> {
              if (query.token().isEmpty()) {
                partitions(PARTITIONS, query, rows);
              } else {
                rows.prepared(prepared);
                rows.hang();
              }
            })) {
      race(fake, results);
    }
    results.put("platform_threads", platformThreads());
  }

  private static void partitions(int number, SpannerScript.Query query, SpannerScript.Rows rows)
      throws InterruptedException {
    for (int i = 0; i < number; i++) {
      rows.record(SpannerScript.child(query.start(), Integer.toString(i)));
    }
  }

  private void race(FakeSpanner fake, Results results) throws Exception {
    List<Double> ratios = new ArrayList<>();
    List<Double> own = new ArrayList<>();
    List<Double> raw = new ArrayList<>();
    try (SpannerChanges changes = SpannerChanges.open(connection(fake, PARTITIONS));
        Spanner client = client(fake)) {
      // The first rounds only warm up.
      for (int round = Math.min(0, 2 - plan.rounds()); round < plan.rounds(); round++) {
        double reader = read(changes);
        double loop = loop(client.getDatabaseClient(DatabaseId.of(DATABASE)));
        if (round >= 0) {
          own.add(reader);
          raw.add(loop);
          ratios.add(reader / loop);
        }
      }
    }
    report.say("  %-28s %,14.0f /s".formatted("reader", Race.median(own)));
    report.say("  %-28s %,14.0f /s".formatted("loop over rows", Race.median(raw)));
    report.put("spanner_reader_per_s", own);
    report.put("spanner_loop_per_s", raw);
    results.ratio("spanner_over_raw", Race.median(ratios));
  }

  private static SpannerChangesOptions connection(FakeSpanner fake, int partitions) {
    return SpannerChangesOptions.forStream(DATABASE, "ledger")
        .withEmulator(fake.address())
        .withPartitions(partitions);
  }

  private static Spanner client(FakeSpanner fake) {
    return SpannerOptions.newBuilder()
        .setProjectId("p")
        .setEmulatorHost(fake.address())
        .setCredentials(NoCredentials.getInstance())
        .setBuiltInMetricsEnabled(false)
        .build()
        .getService();
  }

  private static ReaderOptions options() {
    return ReaderOptions.forRun("run")
        .withStart(StartAt.time(START))
        .withHeartbeat(Duration.ofMinutes(1));
  }

  private static MetadataStore metadata() {
    return MetadataStore.inMemory(TimeSource.system());
  }

  private double read(SpannerChanges changes) throws InterruptedException {
    long all = (long) share * PARTITIONS;
    AtomicLong count = new AtomicLong();
    AtomicLong sum = new AtomicLong();
    CountDownLatch done = new CountDownLatch(1);
    try (ChangeReader reader = changes.reader(options(), metadata())) {
      long begin = System.nanoTime();
      reader.startBatches(
          batch -> {
            sum.addAndGet(lengths(batch));
            if (count.addAndGet(batch.changes().size()) >= all) {
              done.countDown();
            }
          });
      if (!done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "%,d of %,d changes were read: %s".formatted(count.get(), all, reader.endReason()));
      }
      return all * 1e9 / (System.nanoTime() - begin);
    }
  }

  private static long lengths(ChangeBatch batch) {
    long sum = 0;
    for (DataChange change : batch.changes()) {
      sum += change.table().length() + change.commitTimestamp().getEpochSecond();
    }
    return sum;
  }

  private double loop(DatabaseClient client) throws InterruptedException {
    AtomicLong sum = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; i < PARTITIONS; i++) {
      String token = Integer.toString(i);
      threads.add(Thread.startVirtualThread(() -> sum.addAndGet(loop(client, token))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return (double) share * PARTITIONS * 1e9 / (System.nanoTime() - begin);
  }

  private long loop(DatabaseClient client, String token) {
    Statement query =
        Statement.newBuilder("SELECT ChangeRecord FROM READ_ledger(@p1, @p2, @p3, @p4, NULL)")
            .bind("p1")
            .to(Timestamp.ofTimeSecondsAndNanos(START.getEpochSecond(), 0))
            .bind("p2")
            .to((Timestamp) null)
            .bind("p3")
            .to(token)
            .bind("p4")
            .to(60_000L)
            .build();
    long sum = 0;
    int rows = 0;
    try (ResultSet result = client.singleUse().executeQuery(query)) {
      while (rows < share && result.next()) {
        rows++;
        for (Struct record : result.getStructList(0)) {
          for (Struct change : record.getStructList("data_change_record")) {
            sum += change.getTimestamp("commit_timestamp").getSeconds();
            sum += change.getString("record_sequence").length();
            sum += change.getString("server_transaction_id").length();
            sum += change.getString("table_name").length();
            sum += change.getString("mod_type").length();
            sum += change.getLong("number_of_records_in_transaction");
            for (Struct column : change.getStructList("column_types")) {
              sum += column.getString("name").length() + column.getJson("type").length();
            }
            for (Struct mod : change.getStructList("mods")) {
              sum += mod.getJson("keys").length() + mod.getJson("new_values").length();
            }
          }
        }
      }
    }
    return sum;
  }

  /** Platform threads while each of many partitions is read, those of the fake included. */
  private long platformThreads() throws Exception {
    report.part("platform threads for %,d partitions".formatted(MANY_PARTITIONS));
    CountDownLatch all = new CountDownLatch(MANY_PARTITIONS);
    SpannerScript script =
        (query, rows) -> {
          if (query.token().isEmpty()) {
            partitions(MANY_PARTITIONS, query, rows);
          } else {
            rows.record(SpannerScript.change(START.plusSeconds(1), 1, 1));
            rows.hang();
          }
        };
    try (FakeSpanner fake = FakeSpanner.googleSql(script);
        SpannerChanges changes = SpannerChanges.open(connection(fake, MANY_PARTITIONS));
        ChangeReader reader = changes.reader(options(), metadata())) {
      reader.start(delivery -> all.countDown());
      if (!all.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "%,d of %,d partitions gave nothing: %s"
                .formatted(all.getCount(), MANY_PARTITIONS, reader.endReason()));
      }
      long threads =
          Thread.getAllStackTraces().keySet().stream().filter(each -> !each.isVirtual()).count();
      report.say("  %d, those of the fake and of this program included".formatted(threads));
      return threads;
    }
  }
}
