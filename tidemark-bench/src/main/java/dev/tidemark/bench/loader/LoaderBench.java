package dev.tidemark.bench.loader;

import dev.tidemark.bench.measure.Memory;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.records.Users;
import dev.tidemark.bench.server.ServerProcess;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.loader.Batch;
import dev.tidemark.loader.DeadLetters;
import dev.tidemark.loader.DuckDbWarehouse;
import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.Loader;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.MessageSource;
import dev.tidemark.loader.PostgresWarehouse;
import dev.tidemark.loader.StreamSource;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.Warehouse;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The run {@code bench loader}.
 *
 * <p>Its question: what do a durable queue, acknowledgements and the order of publications cost on
 * top of the fastest bare bulk upsert of the same rows, on the same engine with the same syncs?
 */
public final class LoaderBench {
  private static final int OVERHEAD_MESSAGES = 1_000_000;
  private static final int ROW_BY_ROW = 1_000;

  /** Rows of one read. Four reads make the largest batch of either side. */
  private static final int READ_MAX = BareUpsert.BATCH / 4;

  private static final long BATCH_BYTES = 16_000_000;

  /**
   * What a back-log is drained with: the heap that a batch and the next one need, and some more.
   */
  private static final List<String> DRAIN_OPTIONS = List.of("-Xmx48m", "-XX:+UseSerialGC");

  private final Plan plan;
  private final Report report;
  private final Results results;
  private final AtomicInteger number = new AtomicInteger();

  public LoaderBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.results = new Results("loader", plan, report);
    results.order(
        "duckdb", "postgres", "over_row_merge", "changes_per_s", "drain_rss_mb", "overhead_us");
  }

  private int rounds() {
    return Math.min(plan.rounds(), 3);
  }

  public void run(Path json) throws Exception {
    try (Scratch scratch = new Scratch()) {
      report.part("events of a stream on disk into DuckDB, beside the bare upsert");
      duckDb(scratch);
      report.part("the same into PostgreSQL");
      postgres(scratch);
      report.part("a change stream on disk into DuckDB");
      changes(scratch);
      report.part("the engine alone");
      overhead();
      report.part("a back-log drained by a process of its own");
      drain(scratch);
    }
    results.write(json);
  }

  private void duckDb(Scratch scratch) throws Exception {
    double[] ours = new double[rounds()];
    double[] bare = new double[rounds()];
    try (DuckDbWarehouse warehouse = warehouse(path(scratch))) {
      report.say(
          "  a loader that warms up: %,.0f rows/s"
              .formatted(stream(scratch, warehouse, warehouse)));
    }
    for (int i = 0; i < ours.length; i++) {
      double merge;
      double insert;
      try (Connection connection = file(scratch)) {
        merge = BareUpsert.duckDb(connection, plan.keys(), true);
      }
      try (Connection connection = file(scratch)) {
        insert = BareUpsert.duckDb(connection, plan.keys(), false);
      }
      bare[i] = Math.max(merge, insert);
      try (DuckDbWarehouse warehouse = warehouse(path(scratch))) {
        ours[i] = stream(scratch, warehouse, warehouse);
      }
      report.say(
          "  loader %,.0f rows/s, bare MERGE %,.0f, bare INSERT ON CONFLICT %,.0f"
              .formatted(ours[i], merge, insert));
    }
    results.ratio("duckdb", median(ours) / median(bare));
    try (Connection connection = file(scratch)) {
      double rowByRow = BareUpsert.duckDbRowByRow(connection, ROW_BY_ROW);
      report.say("  row by row %,.0f rows/s".formatted(rowByRow));
      results.ratio("over_row_merge", median(ours) / rowByRow);
    }
  }

  /** A batch reads only rows of its own time, so that more threads are in each other's way. */
  private static DuckDbWarehouse warehouse(Path file) {
    return DuckDbWarehouse.open(file, o -> o.withThreads(1));
  }

  private Path path(Scratch scratch) {
    return scratch.path("warehouse-" + number.incrementAndGet() + ".duckdb");
  }

  private Connection file(Scratch scratch) throws Exception {
    return DriverManager.getConnection("jdbc:duckdb:" + path(scratch));
  }

  private void postgres(Scratch scratch) throws Exception {
    double[] ours = new double[rounds()];
    double[] bare = new double[rounds()];
    try (PostgresServer server = PostgresServer.start(scratch.directory("postgres"))) {
      for (int i = 0; i < ours.length; i++) {
        try (Connection connection = server.connections().getConnection()) {
          bare[i] = BareUpsert.postgres(connection, plan.keys());
        }
        try (PostgresWarehouse warehouse = PostgresWarehouse.of(server.connections())) {
          ours[i] = stream(scratch, warehouse, warehouse);
        }
        report.say("  loader %,.0f rows/s, bare COPY %,.0f".formatted(ours[i], bare[i]));
        try (Connection connection = server.connections().getConnection();
            Statement statement = connection.createStatement()) {
          statement.execute("DROP TABLE bare; DROP TABLE " + InstantData.TABLE);
        }
      }
    }
    results.ratio("postgres", median(ours) / median(bare));
  }

  private void changes(Scratch scratch) throws Exception {
    Users users = new Users(plan.keys());
    double[] ours = new double[rounds()];
    for (int i = 0; i < ours.length; i++) {
      Path store = scratch.path("store-" + number.incrementAndGet());
      ours[i] = FollowedTable.changesPerSecond(store, path(scratch), users);
      report.say("  %,.0f changes/s".formatted(ours[i]));
    }
    results.put("changes_per_s", Math.round(median(ours)));
  }

  /** Rows a second from a stream on disk. */
  private double stream(Scratch scratch, Warehouse warehouse, DeadLetters letters)
      throws Exception {
    try (EmbeddedDatabase database =
            EmbeddedDatabase.open(scratch.path("store-" + number.incrementAndGet()));
        Pulse pulse = Pulse.on(database)) {
      EventStream stream = pulse.stream("readings", o -> o.keepingAll());
      for (int from = 0; from < plan.keys(); from += 1_000) {
        int begin = from;
        database.run(
            tx -> {
              for (int i = begin; i < Math.min(begin + 1_000, plan.keys()); i++) {
                stream.add(tx, "reading", "", Measurements.payload(i));
              }
            });
      }
      try (StreamSource source =
          StreamSource.open(
              stream,
              "warehouse",
              o -> o.withReadMax(READ_MAX).withAttributes(StreamSource.jsonAttributes()))) {
        return load(source, warehouse, letters, plan.keys());
      }
    }
  }

  /** Rows a second until the last one is stored; the wait for more messages does not count. */
  private static double load(
      MessageSource source, Warehouse warehouse, DeadLetters letters, int messages)
      throws InterruptedException {
    try (Loader loader =
        Loader.open(
            source,
            warehouse,
            InstantData.mapping(),
            letters,
            o ->
                o.withTablePolicy(Table.Policy.CREATE)
                    .withBatchMax(BareUpsert.BATCH, BATCH_BYTES))) {
      long begin = System.nanoTime();
      Thread run = Thread.ofVirtual().start(loader::drain);
      while (loader.statistics().merged() < messages) {
        if (!run.isAlive() && loader.statistics().merged() < messages) {
          throw new IllegalStateException("The run ended early: " + loader.statistics());
        }
        Thread.sleep(1);
      }
      long took = System.nanoTime() - begin;
      run.join();
      return messages * 1e9 / took;
    }
  }

  /** A warehouse that stores nothing. */
  private static final class Nowhere implements Warehouse {
    @Override
    public void prepare(Table table, Table.Policy policy) {}

    @Override
    public MergeOutcome merge(Batch batch) {
      return new MergeOutcome.Merged(batch.rows().size());
    }

    @Override
    public MergeOutcome settle(UUID job) {
      return new MergeOutcome.Absent();
    }

    @Override
    public Optional<String> position(String source) {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }

  /** The time of a message with a warehouse that stores nothing, less that of making messages. */
  private void overhead() throws InterruptedException {
    int messages = plan.equals(Plan.TINY) ? plan.keys() : OVERHEAD_MESSAGES;
    double[] micros = new double[rounds()];
    for (int i = 0; i < micros.length; i++) {
      micros[i] = 1e6 / load(new Measurements(messages), new Nowhere(), letters -> {}, messages);
    }
    results.ratio("overhead_us", median(micros));
  }

  private void drain(Scratch scratch) throws Exception {
    int messages = plan.keys();
    Path errors = scratch.path("drain-errors");
    Process child =
        ServerProcess.launch(
            errors,
            DRAIN_OPTIONS,
            DrainChild.class,
            path(scratch).toString(),
            Integer.toString(messages));
    String line = child.inputReader().readLine();
    if (!child.waitFor(10, TimeUnit.MINUTES) || line == null) {
      child.destroyForcibly();
      throw new IllegalStateException("The drain failed: " + Files.readString(errors));
    }
    report.say("  " + line);
    results.put("drain_rss_mb", Long.valueOf(line.replaceAll(".*rss_mb=", "")));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Drains a back-log into DuckDB and tells how much memory that took at most. */
  static final class DrainChild {
    private DrainChild() {}

    public static void main(String[] args) throws Exception {
      int messages = Integer.parseInt(args[1]);
      try (DuckDbWarehouse warehouse = warehouse(Path.of(args[0]))) {
        Loader loader =
            Loader.open(
                new Measurements(messages),
                warehouse,
                InstantData.mapping(),
                warehouse,
                o -> o.withTablePolicy(Table.Policy.CREATE));
        LoadResult result = loader.drain();
        System.out.printf(
            "%,d messages in %,d ms, rss_mb=%d%n",
            result.merged(), result.elapsed().toMillis(), Memory.peakResident());
        loader.close();
      }
    }
  }
}
