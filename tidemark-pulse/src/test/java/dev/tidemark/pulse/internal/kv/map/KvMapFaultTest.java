package dev.tidemark.pulse.internal.kv.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;

/** Copies equal the store, and the store what was asked of it, whatever commits do. */
class KvMapFaultTest {
  private static final Subspace SPACE = Subspace.of("pulse");
  private static final Duration WAIT = Duration.ofSeconds(20);

  /** Without TOO_OLD: three of those in a row end a transaction, by intention. */
  private static final Fault[] FAULTS = {
    Fault.CONFLICT,
    Fault.UNKNOWN_COMMITTED,
    Fault.UNKNOWN_NOT_COMMITTED,
    Fault.UNKNOWN_ON_ITS_WAY,
    Fault.DELAY
  };

  private static FaultyDatabase faulty(long seed) {
    return FaultyDatabase.over(EmbeddedDatabase.inMemory(), FaultPlan.random(seed, 0.3, FAULTS));
  }

  @ParameterizedTest
  @SeedSource
  void behavesLikeASortedMapThroughFaults(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, String> model = new TreeMap<>();
    try (FaultyDatabase db = faulty(seed);
        Pulse first = Pulse.on(db, SPACE);
        Pulse second = Pulse.on(db, SPACE)) {
      List<ReplicatedMap<String, String>> maps = List.of(first.map("flags"), second.map("flags"));
      for (int i = 0; i < 300; i++) {
        step(random, maps.get(random.nextInt(2)), model, "value-" + i);
      }
      model.put("end", "x");
      for (ReplicatedMap<String, String> map : maps) {
        map.setAndWait("end", "x", WAIT);
        assertThat(map.snapshot()).isEqualTo(model);
      }
      assertThat(db.injected(Fault.UNKNOWN_COMMITTED)).isPositive();
    }
  }

  private static void step(
      SplittableRandom random,
      ReplicatedMap<String, String> map,
      Map<String, String> model,
      String value) {
    String key = "key-" + random.nextInt(5);
    Optional<String> before = Optional.ofNullable(model.get(key));
    switch (random.nextInt(9)) {
      case 0, 1 -> {
        assertThat(map.set(key, value)).isEqualTo(before);
        model.put(key, value);
      }
      case 2 -> {
        assertThat(map.setAndWait(key, value, WAIT)).isEqualTo(before);
        assertThat(map.get(key)).contains(value);
        model.put(key, value);
      }
      case 3 -> {
        assertThat(map.delete(key)).isEqualTo(before);
        model.remove(key);
      }
      case 4 -> {
        assertThat(map.setIfAbsent(key, value)).isEqualTo(before.isEmpty());
        model.putIfAbsent(key, value);
      }
      case 5 -> {
        assertThat(map.testAndSet(key, before.orElse("x"), value).done())
            .isEqualTo(before.isPresent());
        model.computeIfPresent(key, (same, old) -> value);
      }
      case 6 -> {
        long sum = Long.parseLong(model.getOrDefault("count", "0")) + 3;
        assertThat(map.increment("count", 3)).isEqualTo(sum);
        model.put("count", Long.toString(sum));
      }
      case 7 -> {
        if (random.nextInt(4) == 0) {
          map.destroy();
          model.clear();
        }
      }
      default -> {
        if (random.nextInt(4) == 0) {
          assertThat(map.testAndReset(Map.copyOf(model))).isTrue();
          model.clear();
        }
      }
    }
  }

  @ParameterizedTest
  @SeedSource(count = 3)
  void incrementsThroughFaultsAddUpExactly(long seed) throws Exception {
    try (FaultyDatabase db = faulty(seed)) {
      List<Pulse> processes = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Pulse pulse = Pulse.on(db, SPACE);
        processes.add(pulse);
        ReplicatedMap<String, String> map = pulse.map("flags");
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int j = 0; j < 25; j++) {
                        map.increment("count", 1);
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      for (Pulse pulse : processes) {
        ReplicatedMap<String, String> map = pulse.map("flags");
        assertThat(map.get("count")).contains("100");
      }
      processes.forEach(Pulse::close);
    }
  }
}
