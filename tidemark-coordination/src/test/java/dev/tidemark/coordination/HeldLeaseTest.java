package dev.tidemark.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A holder of a lease that pauses, on virtual time. */
class HeldLeaseTest {
  private static final Duration LENGTH = Duration.ofSeconds(10);

  private final ManualTime time = ManualTime.standing();
  private final ModelDatabase database = ModelDatabase.open(Limits.DEFAULTS, time);
  private final Coordination place = Coordination.in(database, Subspace.of("c"));
  private final LeaderSeat seat = new LeaderSeat(Tuple.of("seat"), "boss", LENGTH);

  @AfterEach
  void close() {
    place.close();
    database.close();
  }

  @Test
  void leaseCountsFromBeforeTheCallThatRenewsIt() {
    HeldLease lease = new HeldLease(time, LENGTH);
    assertThat(lease.isLost()).as("before it began").isTrue();
    lease.renew(
        () -> {
          time.advance(LENGTH.minusMillis(1));
          return true;
        });

    assertThat(lease.isLost()).isFalse();
    assertThat(lease.left()).isLessThan(Duration.ofMillis(2));
    time.advance(Duration.ofMillis(2));
    assertThat(lease.isLost()).isTrue();
  }

  @Test
  void lostLeaseStaysLost() {
    HeldLease lease = new HeldLease(time, LENGTH);
    lease.renew(() -> true);
    lease.renew(() -> false);
    lease.renew(() -> true);

    assertThat(lease.isLost()).isTrue();
  }

  @Test
  void callThatThrowsLeavesTheLeaseAsItWas() {
    HeldLease lease = new HeldLease(time, LENGTH);
    lease.renew(() -> true);
    assertThatThrownBy(
            () ->
                lease.renew(
                    () -> {
                      throw new IllegalStateException("no answer");
                    }))
        .hasMessage("no answer");

    assertThat(lease.isLost()).isFalse();
  }

  /** Millisecond by millisecond: there is no moment at which two could write. */
  @Test
  void pausedHolderNoticesBeforeTheLeaseCanBeTakenOver() {
    Candidate first = new Candidate(place, seat, "first");
    Candidate second = new Candidate(place, seat, "second");
    Leadership paused = first.campaign().orElseThrow();
    Instant noticed = null;
    while (second.campaign().isEmpty()) {
      if (!paused.isHeld() && noticed == null) {
        noticed = time.instant();
      }
      time.advance(Duration.ofMillis(1));
    }

    assertThat(noticed).isBefore(time.instant().minusMillis(500));
    assertThat(first.renew(paused)).isFalse();
    assertThatThrownBy(() -> place.rows().transact(this::writeIn1))
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("second leads in term 2");
  }

  private int writeIn1(Rows rows) {
    seat.check(rows, 1);
    rows.set(Tuple.of("late"), new byte[0]);
    return 1;
  }

  @Test
  void watchTellsOfTheEndWithoutAskingTheStore() throws Exception {
    HeldLease lease = new HeldLease(time, LENGTH);
    lease.renew(() -> true);
    CountDownLatch lost = new CountDownLatch(1);
    try (LeaseWatch watch = new LeaseWatch("watch", lease, lost::countDown)) {
      time.awaitSleepers(1);
      database.close();
      time.advance(LENGTH.plusMillis(1));

      assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
      watch.awaitEnd();
    }
  }
}
