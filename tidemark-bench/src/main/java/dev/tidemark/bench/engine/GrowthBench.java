package dev.tidemark.bench.engine;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.pulse.StreamGrowth;
import dev.tidemark.bench.records.UserGrowth;
import dev.tidemark.bench.rows.Batch;
import dev.tidemark.bench.rows.Engine;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * The run {@code bench growth}.
 *
 * <p>Its question: which rates fall as the data outgrow the memory, and how far? All sizes are in
 * proportion to the plan's number of keys, the memory too.
 */
public final class GrowthBench {
  private static final int TIMES = 16;
  private static final int BATCH_ROWS = 1_000;
  private static final int VALUE_BYTES = 20;
  private static final int KEY_BYTES = 20;
  private static final int SCAN_ROWS = 100;
  private static final int TURNS = 16;

  /** 256 MiB for a million rows, which is the engine's default. */
  private static final int CACHE_BYTES_PER_ROW = 268;

  private final Plan plan;
  private final Report report;
  private final Results results;
  private final int small;
  private final int large;
  private final long cacheBytes;

  public GrowthBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.results = new Results("growth", plan, report);
    this.small = plan.keys();
    this.large = plan.keys() * TIMES;
    this.cacheBytes = Math.max(1 << 20, (long) CACHE_BYTES_PER_ROW * small);
    results.order(
        "get", "get_over_raw", "save", "stream", "stream_over_unbounded", "cold_scan", "load");
  }

  public void run(Path json) throws Exception {
    try (Scratch scratch = new Scratch()) {
      Path files = scratch.path("large");
      Path rawFiles = scratch.directory("raw");
      load(files, rawFiles);
      Path copy = scratch.copy(files, "plain");
      try (Engine few = engine(scratch.path("small"), cacheBytes);
          Engine many = engine(files, cacheBytes);
          Engine plain = engine(copy, 0);
          RawRocks raw = new RawRocks(rawFiles, 2 * cacheBytes)) {
        for (int from = 0; from < small; from += BATCH_ROWS) {
          commit(few, from, small);
        }
        raw.awaitCompactions();
        gets(few, many, raw);
        scans(many, plain);
      }
    }
    saves();
    streams();
    results.write(json);
  }

  private void saves() throws Exception {
    int fewUsers = Math.max(1_000, plan.keys() / 10);
    int manyUsers = plan.keys() * 5;
    report.part("saves of records among %,d and %,d".formatted(fewUsers, manyUsers));
    try (Scratch scratch = new Scratch();
        UserGrowth few = new UserGrowth(scratch.path("few"), fewUsers);
        UserGrowth many = new UserGrowth(scratch.path("many"), manyUsers)) {
      Race race =
          new Race("save")
              .with("small", few.saves())
              .with("large", many.saves())
              .run(plan.rounds(), plan.commitSlice(), plan.warmUp().multipliedBy(2), report);
      results.ratio("save", race.ratio("large", "small"));
    }
  }

  private void streams() throws Exception {
    int early = Math.max(1_000, plan.keys() / 100);
    int late = plan.keys();
    report.part("a stream after %,d and %,d events".formatted(early, late));
    try (Scratch scratch = new Scratch();
        StreamGrowth young = new StreamGrowth(scratch.path("young"), true, early);
        StreamGrowth old = new StreamGrowth(scratch.path("old"), true, late);
        StreamGrowth unbounded = new StreamGrowth(scratch.path("unbounded"), false, late)) {
      Race race =
          new Race("stream")
              .with("young", young.passes())
              .with("old", old.passes())
              .with("unbounded", unbounded.passes())
              .run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
      results.ratio("stream", race.ratio("old", "young"));
      results.ratio("stream_over_unbounded", race.ratio("old", "unbounded"));
    }
  }

  private Engine engine(Path directory, long rowCacheBytes) {
    return new Engine(
        EmbeddedDatabase.open(
            directory, o -> o.withCacheBytes(cacheBytes).withRowCacheBytes(rowCacheBytes)));
  }

  /** Loads both sides in turns; every commit is synced. */
  private void load(Path files, Path rawFiles) throws Exception {
    report.part("loading %,d rows".formatted(large));
    long engineNanos = 0;
    long rawNanos = 0;
    try (Engine engine = engine(files, cacheBytes);
        RawRocks raw = new RawRocks(rawFiles, 2 * cacheBytes)) {
      int turn = Math.ceilDiv(large, TURNS);
      for (int begin = 0; begin < large; begin += turn) {
        int end = Math.min(begin + turn, large);
        long start = System.nanoTime();
        for (int from = begin; from < end; from += BATCH_ROWS) {
          commit(engine, from, end);
        }
        long middle = System.nanoTime();
        for (int from = begin; from < end; from += BATCH_ROWS) {
          raw.commit(rows(from, end));
        }
        engineNanos += middle - start;
        rawNanos += System.nanoTime() - middle;
      }
    }
    report.put("load_rows_per_s", large * 1e9 / engineNanos);
    report.put("load_raw_rows_per_s", large * 1e9 / rawNanos);
    report.say(
        "  %,.0f rows a second, %,.0f by RocksDB itself"
            .formatted(large * 1e9 / engineNanos, large * 1e9 / rawNanos));
    results.ratio("load", (double) rawNanos / engineNanos);
  }

  private static void commit(Engine engine, int from, int end) {
    engine
        .database()
        .run(tx -> rows(from, end).writeTo((key, value) -> tx.set(Key.wrap(key), value)));
  }

  private void gets(Engine few, Engine many, RawRocks raw) throws Exception {
    report.part("gets among %,d and %,d rows".formatted(small, large));
    SplittableRandom random = new SplittableRandom(2);
    Race race =
        new Race("get")
            .with("small", Contestant.loop(() -> few.get(key(random.nextInt(small)))))
            .with("large", Contestant.loop(() -> many.get(key(random.nextInt(large)))))
            .with("raw", Contestant.loop(() -> raw.get(key(random.nextInt(large)))))
            .run(plan.rounds(), plan.commitSlice(), plan.warmUp().multipliedBy(2), report);
    results.ratio("get", race.ratio("large", "small"));
    results.ratio("get_over_raw", race.ratio("large", "raw"));
  }

  private void scans(Engine many, Engine plain) throws Exception {
    report.part("scans of %d among %,d rows".formatted(SCAN_ROWS, large));
    SplittableRandom random = new SplittableRandom(3);
    Race race =
        new Race("scan")
            .with("cached", Contestant.loop(() -> scan(many, random)))
            .with("plain", Contestant.loop(() -> scan(plain, random)))
            .run(plan.rounds(), plan.commitSlice(), plan.warmUp().multipliedBy(2), report);
    results.ratio("cold_scan", race.ratio("cached", "plain"));
  }

  private long scan(Engine engine, SplittableRandom random) {
    return engine.scan(key(random.nextInt(large)), SCAN_ROWS);
  }

  /** The rows with numbers from {@code from} on, up to a batch of them. */
  private static Batch rows(int from, int end) {
    Batch batch = new Batch();
    for (int i = from; i < Math.min(from + BATCH_ROWS, end); i++) {
      batch.with(key(i), ByteBuffer.allocate(VALUE_BYTES).putLong(31L * i).array());
    }
    return batch;
  }

  /** Keys in no order, under sixteen prefixes. */
  private static byte[] key(int number) {
    long mixed = number * 0x9e3779b97f4a7c15L;
    return ByteBuffer.allocate(KEY_BYTES)
        .putInt(number & 15)
        .putLong(mixed ^ (mixed >>> 29))
        .putLong(number)
        .array();
  }
}
