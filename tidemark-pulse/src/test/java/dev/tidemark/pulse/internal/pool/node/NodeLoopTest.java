package dev.tidemark.pulse.internal.pool.node;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.Loop;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.internal.kv.KvBackend;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolOptions;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node whose steps fail with errors. */
class NodeLoopTest {
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final List<PoolException> errors = new CopyOnWriteArrayList<>();
  private final PoolCore core =
      PoolCore.open(
          new KvBackend(database, Subspace.of("pulse")),
          "pool",
          PoolOptions.DEFAULTS.withWorkerTtl(Duration.ofMillis(200)).withOnError(errors::add));

  @AfterEach
  void close() {
    core.rows().close();
    database.close();
  }

  /** Steps that fail a number of times. */
  private static final class Failing implements NodeLoop.Steps {
    final AtomicInteger left;
    final AtomicInteger rounds = new AtomicInteger();
    final AtomicInteger givenUp = new AtomicInteger();

    Failing(int times) {
      this.left = new AtomicInteger(times);
    }

    @Override
    public void checkLease() {
      if (left.getAndDecrement() > 0) {
        throw new StackOverflowError("on purpose");
      }
    }

    @Override
    public void giveUpLease() {
      givenUp.incrementAndGet();
    }

    @Override
    public void lookIntoInbox() {}

    @Override
    public void lookAtPool() {}

    @Override
    public void upkeep() {}

    @Override
    public OptionalLong startDue() {
      rounds.incrementAndGet();
      return OptionalLong.empty();
    }
  }

  @Test
  void nodeGoesOnAfterErrorsAndTellsOfEach() {
    Failing steps = new Failing(Loop.ERRORS_MAX - 1);
    try (NodeLoop loop = new NodeLoop(core, steps)) {
      loop.start();
      eventually("it works again", () -> steps.rounds.get() > 0);
    }
    assertThat(errors).hasSize(Loop.ERRORS_MAX - 1);
    assertThat(steps.givenUp).hasValue(0);
  }

  @Test
  void nodeThatOnlyMeetsErrorsGivesUpItsLease() {
    Failing steps = new Failing(Loop.ERRORS_MAX + 1);
    try (NodeLoop loop = new NodeLoop(core, steps)) {
      loop.start();
      eventually("it works again", () -> steps.rounds.get() > 0);
    }
    assertThat(steps.givenUp.get()).isPositive();
  }
}
