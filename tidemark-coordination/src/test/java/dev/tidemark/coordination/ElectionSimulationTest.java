package dev.tidemark.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Candidates on virtual time, in an order that a seed decides: each has a clock that lags, pauses
 * wherever it likes, and talks to a store that fails now and then.
 */
class ElectionSimulationTest {
  private static final int STEPS = 400;
  private static final int LAG_MAX_MILLIS = 450;
  private static final Duration LENGTH = Duration.ofSeconds(5);
  private static final LeaderSeat SEAT = new LeaderSeat(Tuple.of("seat"), "boss", LENGTH);

  private final ManualTime time = ManualTime.selfAdvancing();
  private final List<Long> terms = new ArrayList<>();

  /** A process: its candidate, and the term that it believes to have. */
  private final class Runner {
    final Candidate candidate;
    final Coordination place;
    Optional<Leadership> leadership = Optional.empty();
    private Instant latest = Instant.EPOCH;

    Runner(RowStore rows, SplittableRandom random, String id) {
      long lag = random.nextInt(LAG_MAX_MILLIS);
      StoreTime storeTime =
          () -> {
            Instant reading = time.instant().minusMillis(lag);
            latest = reading.isAfter(latest) ? reading : latest;
            pauseSometimes(random);
            return latest;
          };
      this.place = new Coordination(rows, storeTime, time);
      this.candidate = new Candidate(place, SEAT, id);
    }

    void step(SplittableRandom random) {
      if (leadership.isEmpty()) {
        leadership = candidate.campaign();
        leadership.map(Leadership::term).ifPresent(terms::add);
      } else if (!leadership.get().isHeld() || !candidate.renew(leadership.get())) {
        leadership = Optional.empty();
      } else if (random.nextInt(20) == 0) {
        candidate.resign(leadership.get());
      }
    }

    boolean leads() {
      return leadership.filter(Leadership::isHeld).isPresent();
    }
  }

  /** Between the reading of the clock and the commit, which is where it hurts. */
  private void pauseSometimes(SplittableRandom random) {
    if (random.nextInt(8) == 0) {
      time.advance(Duration.ofMillis(random.nextInt(2 * (int) LENGTH.toMillis())));
    }
  }

  @ParameterizedTest
  @SeedSource(count = 20)
  void atMostOneLeadsAndTermsOnlyGrow(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FaultPlan plan =
        FaultPlan.random(
            seed, 0.1, Fault.CONFLICT, Fault.UNKNOWN_COMMITTED, Fault.UNKNOWN_NOT_COMMITTED);
    try (FaultyDatabase database =
            FaultyDatabase.over(ModelDatabase.open(Limits.DEFAULTS, time), plan);
        RowStore rows = RowStore.in(database, Subspace.of("election"))) {
      List<Runner> processes =
          List.of(
              new Runner(rows, random, "a"),
              new Runner(rows, random, "b"),
              new Runner(rows, random, "c"));
      for (int i = 0; i < STEPS; i++) {
        time.advance(Duration.ofMillis(random.nextInt(700)));
        processes.get(random.nextInt(processes.size())).step(random);

        assertThat(processes.stream().filter(Runner::leads).count())
            .as("leaders after step %d of seed %d", i, seed)
            .isLessThanOrEqualTo(1);
      }
      assertThat(terms)
          .as("seed %d", seed)
          .hasSizeGreaterThan(5)
          .isSorted()
          .doesNotHaveDuplicates();
      assertOnlyTheLatestPassesTheFence(processes.getFirst().place);
    }
  }

  private void assertOnlyTheLatestPassesTheFence(Coordination place) {
    long latest = place.rows().read(SEAT::holder).orElseThrow().term();
    write(place, latest);
    assertThatThrownBy(() -> write(place, latest - 1))
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("leads in term " + latest);
    byte[] written = place.rows().read(rows -> rows.get(Tuple.of("written")).orElseThrow());
    assertThat(Tuple.unpack(written)).isEqualTo(Tuple.of(latest));
  }

  private static void write(Coordination place, long term) {
    place
        .rows()
        .transact(
            rows -> {
              SEAT.check(rows, term);
              rows.set(Tuple.of("written"), Tuple.of(term).pack());
              return term;
            });
  }
}
