package dev.tidemark.bench.pulse;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.bench.measure.Crew;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.bench.measure.Results;
import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.redis.RedisPulse;
import dev.tidemark.pulse.testkit.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * The run {@code bench pulse}.
 *
 * <p>Its question: what do streams, maps and pools cost on top of Redis, how do they do beside the
 * Redis library that people take for this, and how fast are they on our own store when every event
 * is on the disk?
 */
public final class PulseBench {
  private static final int PRODUCERS = 64;
  private static final int BATCH = 100;
  private static final int PAYLOAD_BYTES = 100;
  private static final int MAP_KEYS = 100;
  private static final int READS = 10_000;

  private final Plan plan;
  private final Report report;
  private final Results results;
  private final byte[] payload = new byte[PAYLOAD_BYTES];
  private final AtomicInteger groups = new AtomicInteger();

  public PulseBench(Plan plan, Report report) {
    this.plan = plan;
    this.report = report;
    this.results = new Results("pulse", plan, report);
    results.order(
        "redis_add",
        "redis_consume",
        "redisson",
        "dispatch_rtt",
        "kv_add",
        "kv_consume",
        "map_reads_per_s",
        "rebalance_s");
  }

  /** How many events a stream has from which is consumed, and keeps. */
  private int events() {
    return Math.max(plan.keys() / 10, 4 * BATCH);
  }

  public void run(Path json) throws Exception {
    try (Scratch scratch = new Scratch()) {
      try (RedisServer server = RedisServer.start(scratch.path("redis"), RedisServer.Version.V7_0);
          Pulse redis = RedisPulse.connect(server.uri());
          RawRedis raw = new RawRedis(server.uri());
          RedissonRival redisson = new RedissonRival(server.uri())) {
        onRedis(redis, raw, redisson);
        report.part("from a dispatch to its handler");
        results.ratio("dispatch_rtt", PoolLoad.dispatchRoundTrips(redis, raw, plan, report));
      }
      try (RedisServer server =
              RedisServer.start(
                  scratch.path("redis-always"),
                  RedisServer.Version.V7_0,
                  "appendonly yes",
                  "appendfsync always");
          RawRedis raw = new RawRedis(server.uri());
          EmbeddedDatabase database = EmbeddedDatabase.open(scratch.path("kv"));
          Pulse ours = Pulse.on(database)) {
        onOurStore(ours, raw);
        mapReads(ours);
        IdleJobs.measure(scratch, Math.max(plan.keys() / 10, 1_000), report);
        results.ratio("rebalance_s", PoolLoad.rebalanceSeconds(ours, report));
      }
    }
    results.write(json);
  }

  // ---- Redis

  private void onRedis(Pulse pulse, RawRedis raw, RedissonRival redisson) throws Exception {
    report.part("adds on Redis, %d producers".formatted(PRODUCERS));
    int length = events();
    EventStream stream = pulse.stream("adds", o -> o.withLengthMax(length));
    Race adds =
        new Race("redis_add")
            .with("tidemark", Crew.virtual(PRODUCERS, r -> stream.add("measured", payload)))
            .with("raw", Crew.virtual(PRODUCERS, r -> raw.add("raw-adds", payload, length)))
            .with(
                "redisson",
                Crew.virtual(PRODUCERS, r -> redisson.add("redisson-adds", payload, length)));
    run(adds);
    results.ratio("redis_add", adds.ratio("tidemark", "raw"));

    report.part("events consumed and acknowledged on Redis, %d at a time".formatted(BATCH));
    EventStream filled = fill(pulse, "filled");
    for (int i = 0; i < events(); i++) {
      raw.add("raw-filled", payload, 2L * events());
    }
    Race consumed =
        new Race("redis_consume")
            .with(
                "tidemark",
                consume(filled, group -> raw.destroyGroup("pulse:stream:filled", group)))
            .with("raw", consume(raw, "raw-filled"))
            .with("redisson", consume(redisson, "raw-filled"));
    run(consumed);
    results.ratio("redis_consume", consumed.ratio("tidemark", "raw"));
    results.ratio(
        "redisson",
        Math.min(adds.ratio("tidemark", "redisson"), consumed.ratio("tidemark", "redisson")));
    report.put("redisson_add", adds.ratio("tidemark", "redisson"));
    report.put("redisson_consume", consumed.ratio("tidemark", "redisson"));
  }

  // ---- our store, every commit on the disk

  private void onOurStore(Pulse pulse, RawRedis raw) throws Exception {
    report.part("adds that are on the disk, %d producers".formatted(PRODUCERS));
    int length = events();
    EventStream stream = pulse.stream("adds", o -> o.withLengthMax(length));
    Race adds =
        new Race("kv_add")
            .with("tidemark", Crew.virtual(PRODUCERS, r -> stream.add("measured", payload)))
            .with("redis", Crew.virtual(PRODUCERS, r -> raw.add("raw-adds", payload, length)));
    adds.run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
    results.ratio("kv_add", adds.ratio("tidemark", "redis"));

    report.part("events consumed and acknowledged on the disk, %d at a time".formatted(BATCH));
    EventStream filled = fill(pulse, "filled");
    Crew.virtual(PRODUCERS, r -> raw.add("raw-filled", payload, 2L * events()))
        .run(System.nanoTime() + 4 * plan.commitSlice().toNanos());
    Race consumed =
        new Race("kv_consume")
            .with("tidemark", consume(filled, group -> {}))
            .with("redis", consume(raw, "raw-filled"));
    consumed.run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
    results.ratio("kv_consume", consumed.ratio("tidemark", "redis"));
  }

  private void mapReads(Pulse pulse) throws Exception {
    report.part("reads of a replicated map by one thread");
    try (ReplicatedMap<String, String> map = pulse.map("flags")) {
      String[] keys = new String[MAP_KEYS];
      for (int i = 0; i < MAP_KEYS; i++) {
        keys[i] = "feature." + i;
        map.setAndWait(keys[i], "on", Duration.ofSeconds(10));
      }
      Race reads =
          new Race("map_reads")
              .with(
                  "tidemark",
                  deadline -> {
                    long done = 0;
                    while (System.nanoTime() < deadline) {
                      int found = 0;
                      for (int i = 0; i < READS; i++) {
                        found += map.get(keys[i % MAP_KEYS]).isPresent() ? 1 : 0;
                      }
                      done += found;
                    }
                    return done;
                  });
      reads.run(plan.rounds(), plan.readSlice(), plan.warmUp(), report);
      results.put("map_reads_per_s", Math.round(reads.rate("tidemark")));
    }
  }

  // ---- consuming

  private EventStream fill(Pulse pulse, String name) throws Exception {
    EventStream stream = pulse.stream(name, o -> o.keepingAll());
    int each = events() / PRODUCERS + 1;
    List<Thread> producers =
        IntStream.range(0, PRODUCERS)
            .mapToObj(
                producer ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              for (int i = 0; i < each; i++) {
                                stream.add("measured", payload);
                              }
                            }))
            .toList();
    for (Thread producer : producers) {
      producer.join();
    }
    return stream;
  }

  /**
   * Consumes from the beginning, as a new group whenever all events have come: nobody waits at the
   * end of the stream.
   *
   * @param destroy removes a group that is done, where the rivals remove theirs
   */
  private Contestant consume(EventStream stream, Consumer<String> destroy) {
    long length = stream.length();
    return deadline -> {
      long done = 0;
      while (System.nanoTime() < deadline) {
        long left = length;
        String group = "group" + groups.incrementAndGet();
        try (Sink sink =
            stream.sink(
                group,
                o ->
                    o.withStart(Start.oldest())
                        .withBatchMax(BATCH)
                        .withBlock(Duration.ofMillis(10)))) {
          while (left > 0 && System.nanoTime() < deadline) {
            List<Event> batch = sink.read();
            sink.ackAll(batch);
            left -= batch.size();
          }
        }
        destroy.accept(group);
        done += length - left;
      }
      return done;
    };
  }

  private Contestant consume(RawRedis redis, String stream) {
    return consume(
        redis.length(stream),
        group -> redis.createGroup(stream, group),
        group -> redis.consume(stream, group, BATCH),
        group -> redis.destroyGroup(stream, group));
  }

  private Contestant consume(RedissonRival redisson, String stream) {
    return consume(
        redisson.length(stream),
        group -> redisson.createGroup(stream, group),
        group -> redisson.consume(stream, group, BATCH),
        group -> redisson.destroyGroup(stream, group));
  }

  private Contestant consume(
      long length, Consumer<String> create, ToIntFunction<String> read, Consumer<String> destroy) {
    return deadline -> {
      long done = 0;
      while (System.nanoTime() < deadline) {
        long left = length;
        String group = "group" + groups.incrementAndGet();
        create.accept(group);
        while (left > 0 && System.nanoTime() < deadline) {
          left -= read.applyAsInt(group);
        }
        destroy.accept(group);
        done += length - left;
      }
      return done;
    };
  }

  private void run(Race race) throws Exception {
    race.run(plan.rounds(), plan.commitSlice(), plan.warmUp(), report);
  }
}
