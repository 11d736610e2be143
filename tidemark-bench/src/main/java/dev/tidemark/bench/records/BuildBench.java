package dev.tidemark.bench.records;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.records.maintenance.BuildOptions;
import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.OnlineIndexer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The part of {@code bench records} that builds an index, alone and beside writers. */
final class BuildBench {
  private static final int WRITERS = 64;

  private final Plan plan;
  private final Report report;
  private final Users users;
  private final RecordTable records;

  BuildBench(Plan plan, Report report, Users users, RecordTable records) {
    this.plan = plan;
    this.report = report;
    this.users = users;
    this.records = records;
  }

  void run(Results results) throws Exception {
    report.part("building the index of cities and ages");
    List<Double> rates = new ArrayList<>();
    for (int round = 0; round < plan.rounds(); round++) {
      rates.add(build());
    }
    report.say("  %-28s %,14.0f /s".formatted("build", Race.median(rates)));
    report.put("build", rates);
    results.put("build_per_s", Math.round(Race.median(rates)));

    report.part("saves of %d writers while it is built".formatted(WRITERS));
    List<Double> besides = new ArrayList<>();
    Contestant writers = Crew.virtual(WRITERS, random -> records.save(users.changed(random, 1)));
    Race race =
        new Race("writers")
            .with("alone", writers)
            .with("beside_a_build", deadline -> besideBuilds(writers, deadline, besides))
            .run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
    report.say("  %-28s %,14.0f /s".formatted("build beside writers", Race.median(besides)));
    report.put("build_beside_writers", besides);
    results.ratio("writer_slowdown", 1 - race.ratio("beside_a_build", "alone"));
  }

  /** Records a second of one build. */
  private double build() {
    try (OnlineIndexer indexer = indexer(options -> options)) {
      BuildProgress done = indexer.build();
      return done.scanned() * 1e9 / done.elapsed().toNanos();
    }
  }

  /**
   * {@code writers} while the index is built again and again, as fast as {@code rates} then say.
   */
  private long besideBuilds(Contestant writers, long deadline, List<Double> rates)
      throws Exception {
    long begin = System.nanoTime();
    LongAdder built = new LongAdder();
    AtomicBoolean over = new AtomicBoolean();
    Thread builder = Thread.ofPlatform().name("bench-builder").start(() -> buildUntil(over, built));
    try {
      return writers.run(deadline);
    } finally {
      over.set(true);
      builder.join();
      rates.add(built.sum() * 1e9 / (System.nanoTime() - begin));
    }
  }

  /** Builds until {@code over}. What is left undone then, nobody reads. */
  private void buildUntil(AtomicBoolean over, LongAdder built) {
    try {
      while (!over.get()) {
        AtomicLong counted = new AtomicLong();
        Consumer<BuildProgress> listener =
            progress -> {
              built.add(progress.scanned() - counted.getAndSet(progress.scanned()));
              endIf(over);
            };
        try (OnlineIndexer indexer = indexer(options -> options.withListener(listener))) {
          indexer.build();
        }
      }
    } catch (CancellationException ended) {
      // By the listener, in the middle of a build.
    }
  }

  private static void endIf(AtomicBoolean over) {
    if (over.get()) {
      throw new CancellationException("The writers have ended");
    }
  }

  private OnlineIndexer indexer(UnaryOperator<BuildOptions> change) {
    return OnlineIndexer.of(
        records.space(),
        options ->
            change.apply(
                options.withIndexes(User.BY_CITY_AND_AGE).withStart(BuildOptions.Start.ANEW)));
  }
}
