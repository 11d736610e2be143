package dev.tidemark.changes.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.remote.DatabaseServer;
import dev.tidemark.testkit.spanner.FakeSpanner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three processes share one run over a stream of Spanner that is split and merged while they are
 * killed with SIGKILL and stopped for longer than their lease. Their states are in a store of ours,
 * as are the effects: each change takes effect once, and those of a key in their order.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SeveralProcessesTest {
  private static final int KEYS = 24;
  private static final int PROCESSES = 3;
  private static final int COMMITS_PER_STEP = 100;
  private static final List<String> STEPS =
      List.of("split", "split", "kill", "split", "merge", "stop", "split", "kill", "merge", "kill");

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private record Reader(Process process, BufferedReader output) {
    void kill() throws InterruptedException {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = 20261119)
  void nothingIsMissingTwiceOrOutOfOrderAlthoughProcessesAreKilled(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    LivingStream stream = new LivingStream(KEYS);
    Instant start = Instant.now();
    List<Reader> readers = new ArrayList<>();
    try (EmbeddedDatabase store = EmbeddedDatabase.inMemory();
        DatabaseServer server = DatabaseServer.open(store);
        FakeSpanner spanner = FakeSpanner.googleSql(stream)) {
      String address = "tidemark://127.0.0.1:" + server.port();
      try {
        for (int i = 0; i < PROCESSES; i++) {
          readers.add(start(spanner.address(), address, start));
        }
        for (String step : STEPS) {
          for (int i = 0; i < COMMITS_PER_STEP; i++) {
            stream.commit(random.nextInt(KEYS));
          }
          int chosen = random.nextInt(PROCESSES);
          switch (step) {
            case "kill" -> {
              readers.get(chosen).kill();
              readers.set(chosen, start(spanner.address(), address, start));
            }
            case "stop" -> pause(readers.get(chosen).process());
            case "split" -> stream.split(any(stream, random));
            default -> merge(stream, random);
          }
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!keys().allMatch(key -> last(store, key) == stream.value(key))) {
          assertThat(readers).as("readers").allMatch(each -> each.process().isAlive());
          assertThat(System.nanoTime())
              .as("the last value of each key in time")
              .isLessThan(deadline);
          Thread.sleep(50);
        }
      } finally {
        for (Reader reader : readers) {
          reader.kill();
        }
      }
      for (int key = 0; key < KEYS; key++) {
        for (long value = 1; value <= stream.value(key); value++) {
          assertThat(effects(store, key, value))
              .as("effects of value %d of key %d", value, key)
              .isOne();
        }
      }
      List<KeyValue> inversions =
          store.read(tx -> tx.scan(SharingProcess.INVERSIONS.range()).list());
      assertThat(inversions).as("values that came after a later one of their key").isEmpty();
    }
  }

  private static IntStream keys() {
    return IntStream.range(0, KEYS);
  }

  private static long last(EmbeddedDatabase store, long key) {
    return store.read(
        tx -> tx.get(SharingProcess.LAST.pack(key)).map(SharingProcess::number).orElse(0L));
  }

  private static long effects(EmbeddedDatabase store, long key, long value) {
    return store.read(
        tx ->
            tx.get(SharingProcess.COUNTS.pack(key, value)).map(SharingProcess::number).orElse(0L));
  }

  private static String any(LivingStream stream, SplittableRandom random) {
    List<String> alive = stream.alive();
    return alive.get(random.nextInt(alive.size()));
  }

  private static void merge(LivingStream stream, SplittableRandom random) {
    String first = any(stream, random);
    stream.alive().stream()
        .filter(other -> !other.equals(first))
        .findFirst()
        .ifPresent(other -> stream.merge(first, other));
  }

  /** A process that reads by the time this returns. */
  private static Reader start(String spanner, String store, Instant start) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path", "")),
                SharingProcess.class.getName(),
                spanner,
                store,
                start.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(output.readLine()).as("what a reader says first").isEqualTo("reading");
    return new Reader(process, output);
  }

  /** Longer than the lease, so that others take its partitions, and it comes back as a zombie. */
  private static void pause(Process process) throws IOException, InterruptedException {
    signal(process, "STOP");
    Thread.sleep(SharingProcess.LEASE.multipliedBy(2));
    signal(process, "CONT");
  }

  private static void signal(Process process, String name)
      throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).as("status of kill -" + name).isZero();
  }
}
