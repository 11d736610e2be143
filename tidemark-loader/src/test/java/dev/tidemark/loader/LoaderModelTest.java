package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Whatever happens on the way, the table ends as a model says, and every message is acknowledged. A
 * seed decides what is published, in what order, how often it is delivered, and what fails.
 */
@Timeout(300)
class LoaderModelTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final int RUNS_MAX = 500;

  @ParameterizedTest
  @SeedSource(count = 60)
  void anyInterleavingLeavesTheTableOfTheModel(long seed) {
    new Trial(seed).run();
  }

  /** A loader that dies here neither acknowledges nor gives back anything. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("The loader was killed", null, false, false);
    }
  }

  private static final class Trial {
    private final long seed;
    private final SplittableRandom random;
    private final SplittableRandom faults;
    private final ManualTime time = ManualTime.selfAdvancing();
    private final QueueModel queue = new QueueModel(time, Duration.ofSeconds(30));
    private final MemoryWarehouse warehouse = new MemoryWarehouse();
    private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();
    private final List<Message> published = new ArrayList<>();
    private final int faultsOf100;
    private boolean crashed;

    Trial(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.faults = random.split();
      this.faultsOf100 = random.nextInt(60);
      warehouse.behave(this::merge);
    }

    void run() {
      int messages = 1 + random.nextInt(150);
      int keys = 1 + random.nextInt(30);
      for (int i = 0; i < messages; i++) {
        publish(i, keys);
      }
      int runs = 0;
      while (queue.backlog() > 0) {
        assertThat(++runs).as("runs of seed " + seed).isLessThan(RUNS_MAX);
        once();
      }
      check();
    }

    private void publish(int number, int keys) {
      String value =
          switch (random.nextInt(20)) {
            case 0 -> "bad";
            case 1 -> "poison";
            default -> "v" + number;
          };
      // Few different times, so that ties are common.
      Instant at = NOON.plusSeconds(random.nextInt(20));
      published.add(
          queue.publish(
              "m" + random.nextInt(1_000) + "-" + number,
              at,
              "key",
              "k" + random.nextInt(keys),
              "value",
              value));
    }

    private void once() {
      crashed = false;
      LoadResult result;
      try (Loader loader =
          Loader.open(
              queue,
              warehouse,
              new KeyValueMapping(),
              letters::addAll,
              o ->
                  o.withTime(time)
                      .withBatchMax(1 + random.nextInt(40), 100 + random.nextInt(20_000)))) {
        result =
            random.nextBoolean()
                ? loader.drain()
                : loader.drain(TimeBudget.of(Duration.ofSeconds(1 + random.nextInt(300))));
      }
      assertThat(result.pulled())
          .as("messages of a run of seed " + seed)
          .isEqualTo(result.merged() + result.ignored() + result.dead() + result.nacked());
      if (crashed) {
        time.advance(Duration.ofSeconds(31));
      } else {
        assertThat(queue.leasedNow()).as("leases after a run of seed " + seed).isZero();
      }
    }

    private MergeOutcome merge(Batch batch, Supplier<MergeOutcome> store) {
      time.advance(Duration.ofMillis(faults.nextInt(2_000)));
      if (faults.nextInt(10) == 0) {
        queue.deliverAgain(published.get(faults.nextInt(published.size())));
      }
      boolean poison = batch.rows().stream().anyMatch(row -> "poison".equals(row.value(1)));
      if (faults.nextInt(100) < faultsOf100) {
        return fault(poison, store);
      }
      return poison ? new MergeOutcome.Refused("poison") : store.get();
    }

    private MergeOutcome fault(boolean poison, Supplier<MergeOutcome> store) {
      int kind = faults.nextInt(6);
      if (kind >= 3 && !poison) {
        assertThat(store.get()).isInstanceOf(MergeOutcome.Merged.class);
      }
      return switch (kind) {
        case 0 -> new MergeOutcome.Unavailable("503");
        case 1, 3 -> new MergeOutcome.Unknown("The answer is lost");
        case 2, 4 -> throw new IllegalStateException("The connection broke");
        default -> {
          crashed = true;
          queue.crash();
          throw new Crash();
        }
      };
    }

    private void check() {
      assertThat(queue.mistakes()).as("seed " + seed).isEmpty();
      assertThat(warehouse.mistakes()).as("seed " + seed).isEmpty();
      assertThat(warehouse.table(1)).as("table of seed " + seed).isEqualTo(model());
      assertThat(queue.acked().keySet())
          .as("acknowledged, seed " + seed)
          .isEqualTo(published.stream().map(Message::id).collect(Collectors.toSet()));
      checkLetters();
    }

    /** A refused row that a later one of its key replaced within its batch is never tried. */
    private void checkLetters() {
      Set<String> dead =
          letters.stream().map(letter -> letter.message().id()).collect(Collectors.toSet());
      for (Message message : published) {
        boolean wanted =
            switch (value(message)) {
              case "bad" -> true;
              case "poison" -> !isReplaced(message) || dead.contains(message.id());
              default -> false;
            };
        assertThat(dead.contains(message.id()))
            .as("%s is a dead letter, seed %d", message, seed)
            .isEqualTo(wanted);
      }
    }

    private boolean isReplaced(Message message) {
      return published.stream()
          .anyMatch(
              other ->
                  key(other).equals(key(message))
                      && other.compareTo(message) > 0
                      && !value(other).equals("bad"));
    }

    private static String key(Message message) {
      return String.valueOf(message.attributes().get("key"));
    }

    private static String value(Message message) {
      return String.valueOf(message.attributes().get("value"));
    }

    private Map<List<Object>, Object> model() {
      Map<List<Object>, Message> latest = new HashMap<>();
      for (Message message : published) {
        if (!value(message).equals("bad") && !value(message).equals("poison")) {
          latest.merge(
              List.of(key(message)),
              message,
              (left, right) -> left.compareTo(right) > 0 ? left : right);
        }
      }
      Map<List<Object>, Object> table = new HashMap<>();
      latest.forEach((key, message) -> table.put(key, value(message)));
      return table;
    }
  }
}
