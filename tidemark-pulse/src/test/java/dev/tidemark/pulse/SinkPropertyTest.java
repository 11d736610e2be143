package dev.tidemark.pulse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.DatabaseExtension;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Producers add, readers read, and instances of a sink handle events in transactions and die, while
 * commits go wrong.
 */
class SinkPropertyTest {
  private static final TimeSource TIME = TimeSource.system();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration GRACE = Duration.ofMillis(150);
  private static final int PRODUCERS = 4;
  private static final int EVENTS_EACH = 60;
  private static final Subspace EFFECTS = Subspace.of("effects");
  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};

  @RegisterExtension
  final DatabaseExtension databases =
      DatabaseExtension.opening(
          () ->
              FaultyDatabase.over(
                  EmbeddedDatabase.inMemory(), FaultPlan.random(23, 0.1, Fault.values())));

  @ParameterizedTest
  @SeedSource(count = 3)
  void everyEventHasItsEffectOnceAndEveryReaderSeesAllInOrder(long seed, Database database)
      throws Exception {
    Map<EventId, String> added = new ConcurrentSkipListMap<>();
    AtomicBoolean over = new AtomicBoolean();
    try (Pulse pulse = Pulse.on(database)) {
      EventStream stream = pulse.stream("s", o -> o.keepingAll());
      stream.sink("sink", SinkPropertyTest::sinkOptions).close();
      List<FutureTask<Boolean>> readers =
          IntStream.range(0, 2).mapToObj(i -> start(() -> reads(stream, added, over))).toList();
      List<FutureTask<Boolean>> mortals =
          IntStream.range(0, 3)
              .mapToObj(i -> start(() -> diesOften(database, seed * 31 + i, over)))
              .toList();
      List<FutureTask<Boolean>> producers =
          IntStream.range(0, PRODUCERS).mapToObj(i -> start(() -> adds(stream, i, added))).toList();

      join(producers);
      awaitEffects(database);
      over.set(true);
      join(mortals);
      join(readers);

      assertThat(effects(database)).as("seed %d", seed).hasSize(PRODUCERS * EVENTS_EACH);
      assertThat(effects(database).values()).allMatch(count -> count == 1L);
      assertThat(effects(database).keySet()).isEqualTo(Map.copyOf(texts(added)).keySet());
    }
  }

  private static Map<String, String> texts(Map<EventId, String> added) {
    Map<String, String> texts = new ConcurrentSkipListMap<>();
    added.forEach((id, text) -> texts.put(id.toString(), text));
    return texts;
  }

  private static SinkOptions sinkOptions(SinkOptions options) {
    return options
        .withStart(Start.oldest())
        .withAckGrace(GRACE)
        .withBlock(Duration.ofMillis(40))
        .withBatchMax(7)
        .withParallel(3);
  }

  private static boolean adds(EventStream stream, int producer, Map<EventId, String> added) {
    for (int i = 0; i < EVENTS_EACH; i++) {
      String text = producer + "/" + i;
      EventId id = stream.add("e", text.getBytes(UTF_8));
      assertThat(added.put(id, text)).as("events with the id %s", id).isNull();
    }
    return true;
  }

  /** Opens instances that handle some events, fail with some, and vanish with others in hand. */
  private static boolean diesOften(Database database, long seed, AtomicBoolean over) {
    SplittableRandom random = new SplittableRandom(seed);
    while (!over.get()) {
      try (Pulse pulse = Pulse.on(database);
          Sink sink = pulse.stream("s").sink("sink", SinkPropertyTest::sinkOptions)) {
        if (random.nextInt(3) == 0) {
          sink.read();
        } else {
          int salt = random.nextInt();
          sink.subscribe((tx, event) -> handle(tx, event, salt));
          sleep(Duration.ofMillis(20 + random.nextInt(250)));
        }
      }
    }
    return true;
  }

  private static void handle(Transaction tx, Event event, int salt) {
    tx.mutate(MutationType.ADD, EFFECTS.pack(event.id().toString()), ONE);
    if ((event.id().hashCode() ^ salt) % 7 == 0) {
      throw new IllegalStateException("The handler fails on purpose");
    }
  }

  private static boolean reads(EventStream stream, Map<EventId, String> added, AtomicBoolean over) {
    List<EventId> seen = new ArrayList<>();
    long deadline = TIME.nanos() + PATIENCE.toNanos();
    try (Reader reader =
        stream.reader(
            o -> o.withStart(Start.oldest()).withBlock(Duration.ofMillis(20)).withBatchMax(5))) {
      while (!over.get() || seen.size() < added.size()) {
        reader.read().forEach(event -> seen.add(event.id()));
        assertThat(TIME.nanos()).as("a reader waits for events").isLessThan(deadline);
      }
    }
    assertThat(seen).isEqualTo(List.copyOf(added.keySet()));
    return true;
  }

  private static void awaitEffects(Database database) {
    long deadline = TIME.nanos() + PATIENCE.toNanos();
    while (effects(database).size() < PRODUCERS * EVENTS_EACH) {
      if (TIME.nanos() > deadline) {
        throw new AssertionError(
            "Only %d events had an effect within %s".formatted(effects(database).size(), PATIENCE));
      }
      sleep(Duration.ofMillis(20));
    }
    sleep(GRACE.multipliedBy(3));
  }

  private static Map<String, Long> effects(Database database) {
    return database.read(
        tx -> {
          Map<String, Long> counts = new ConcurrentSkipListMap<>();
          for (KeyValue row : tx.scan(EFFECTS.range())) {
            counts.put(EFFECTS.unpack(row.key()).getString(0), (long) row.value()[0]);
          }
          return counts;
        });
  }

  private static FutureTask<Boolean> start(Callable<Boolean> work) {
    FutureTask<Boolean> task = new FutureTask<>(work);
    Thread.ofVirtual().start(task);
    return task;
  }

  private static void join(List<FutureTask<Boolean>> tasks) throws Exception {
    for (FutureTask<Boolean> task : tasks) {
      task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static void sleep(Duration time) {
    try {
      TIME.sleep(time);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", interrupt);
    }
  }
}
