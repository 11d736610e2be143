package dev.tidemark.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The time of the store as a process knows it that pauses now and then. */
class StoreClockTest {
  private static final Duration PAUSE = Duration.ofSeconds(20);

  private final ManualTime time = ManualTime.standing();
  private final PausingDatabase database =
      new PausingDatabase(ModelDatabase.open(Limits.DEFAULTS, time));
  private final StoreClock clock = new StoreClock(database, Subspace.of("s").pack("clock"));

  @AfterEach
  void close() {
    database.close();
  }

  /** Pauses once after the next commit. */
  private final class PausingDatabase extends ForwardingDatabase {
    private boolean pauses;
    private boolean silent;

    PausingDatabase(Database delegate) {
      super(delegate);
    }

    @Override
    public <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X {
      T result = super.transact(body);
      if (pauses) {
        pauses = false;
        time.advance(PAUSE);
      }
      return result;
    }

    @Override
    public Instant timeOf(long version) {
      if (silent) {
        throw new UnavailableException(1039, "The store does not answer", null);
      }
      return super.timeOf(version);
    }
  }

  private void assertOnTime() {
    assertThat(Duration.between(clock.now(), time.instant()).abs())
        .isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void pauseWhileTheStoreIsAskedDoesNotMakeTheClockLag() {
    database.pauses = true;

    assertOnTime();
  }

  @Test
  void commitThatIsObservedLateDoesNotSetTheClockBack() {
    assertOnTime();
    database.pauses = true;
    Transaction late =
        database.transact(
            tx -> {
              tx.set(Subspace.of("s").pack("other"), new byte[0]);
              return tx;
            });

    clock.observe(late);
    time.advance(Duration.ofSeconds(2));

    assertOnTime();
  }

  @Test
  void commitOfWhichTheStoreTellsNoTimeIsNotFollowedByAFailure() {
    assertOnTime();
    Transaction committed =
        database.transact(
            tx -> {
              tx.set(Subspace.of("s").pack("other"), new byte[0]);
              return tx;
            });
    time.advance(Duration.ofSeconds(2));
    database.silent = true;

    clock.observe(committed);

    assertOnTime();
  }

  /** The steady clock goes on; the time of day was set an hour back at a moment. */
  private final class SetBack implements TimeSource {
    private boolean isSet;

    @Override
    public long wallMicros() {
      return time.wallMicros() - (isSet ? 3_600_000_000L : 0);
    }

    @Override
    public long nanos() {
      return time.nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      time.sleep(duration);
    }
  }

  @Test
  void leaseOfADeadLeaderEndsThoughTheClockOfTheStoreWasSetBack() {
    SetBack machine = new SetBack();
    LeaderSeat seat = new LeaderSeat(Tuple.of("s"), "x", Duration.ofSeconds(10));
    try (EmbeddedDatabase store = EmbeddedDatabase.inMemory(o -> o.withTime(machine));
        Coordination here = Coordination.in(store, Subspace.of("c"));
        Coordination there = Coordination.in(store, Subspace.of("c"))) {
      Instant before = there.storeTime().now();
      machine.isSet = true;
      for (int i = 0; i < 10; i++) {
        time.advance(Duration.ofSeconds(30));
        here.storeTime().now();
        there.storeTime().now();
      }
      assertThat(new Candidate(here, seat, "dead").campaign()).isPresent();
      assertThat(new Candidate(there, seat, "other").campaign()).isEmpty();

      time.advance(Duration.ofSeconds(20));

      assertThat(new Candidate(there, seat, "other").campaign()).isPresent();
      assertThat(Duration.between(before, there.storeTime().now()))
          .isBetween(Duration.ofSeconds(315), Duration.ofSeconds(320));
    }
  }
}
