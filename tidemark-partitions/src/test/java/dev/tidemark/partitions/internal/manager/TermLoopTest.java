package dev.tidemark.partitions.internal.manager;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.Candidate;
import dev.tidemark.coordination.Coordination;
import dev.tidemark.coordination.FencedException;
import dev.tidemark.coordination.LeaderSeat;
import dev.tidemark.coordination.Leadership;
import dev.tidemark.coordination.Loop;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TermLoopTest {
  private static final LeaderSeat SEAT =
      new LeaderSeat(Tuple.of("leader"), "manager", Duration.ofMinutes(5));

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final Coordination place = Coordination.in(database, Subspace.of("cluster"));
  private final Leadership leadership = new Candidate(place, SEAT, "m1").campaign().orElseThrow();
  private final AtomicInteger steps = new AtomicInteger();

  @AfterEach
  void close() {
    place.close();
    database.close();
  }

  private TermLoop start(TermLoop.Step step) {
    return new TermLoop("loop", database.time(), leadership, Duration.ofMillis(1), step).start();
  }

  @Test
  void aLeaderThatMeetsOnlyErrorsGivesUpItsTerm() {
    try (TermLoop loop =
        start(
            () -> {
              steps.incrementAndGet();
              throw new StackOverflowError("for a test");
            })) {
      eventually("the term is given up", () -> !leadership.isHeld());

      assertThat(steps.get()).isGreaterThanOrEqualTo(Loop.ERRORS_MAX);
      assertThat(loop).isNotNull();
    }
  }

  @Test
  void exceptionsAndSingleErrorsLeaveTheTermAlone() {
    try (TermLoop loop =
        start(
            () -> {
              int step = steps.incrementAndGet();
              if (step % 2 == 0) {
                throw new IllegalStateException("for a test");
              }
              if (step % 3 == 0) {
                throw new StackOverflowError("for a test");
              }
            })) {
      eventually("it goes on", () -> steps.get() > 10 * Loop.ERRORS_MAX);

      assertThat(leadership.isHeld()).isTrue();
      assertThat(loop).isNotNull();
    }
  }

  @Test
  void aStepThatIsFencedIsTheLast() {
    try (TermLoop loop =
        start(
            () -> {
              steps.incrementAndGet();
              throw new FencedException("for a test");
            })) {
      eventually("the loop has ended", () -> !loop.isAlive());

      assertThat(steps).hasValue(1);
    }
  }
}
