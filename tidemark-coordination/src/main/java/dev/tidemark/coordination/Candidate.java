package dev.tidemark.coordination;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A candidate for leadership, step by step and without a thread: for a layer that has a loop of its
 * own. {@link LeaderElection} runs one.
 *
 * <p>The holder gives its lease up by its own clock a margin before the row ends: a tenth of the
 * length, and half a second at least where the length allows, which is more than a reading of the
 * store's time lags. So a process that paused notices that it no longer leads before another one
 * can be elected.
 */
public final class Candidate {
  private static final Duration LAG = Duration.ofMillis(500);

  private final Coordination place;
  private final LeaderSeat seat;
  private final String id;

  /**
   * A candidate.
   *
   * @param id its name, shown as the name of the leader
   */
  public Candidate(Coordination place, LeaderSeat seat, String id) {
    this.place = place;
    this.seat = seat;
    this.id = id;
  }

  /** For how long a holder counts on a lease of {@code length}. */
  static Duration heldFor(Duration length) {
    Duration half = length.dividedBy(2);
    Duration lag = LAG.compareTo(half) < 0 ? LAG : half;
    Duration tenth = length.dividedBy(10);
    return length.minus(tenth.compareTo(lag) > 0 ? tenth : lag);
  }

  /** Tries to be elected; empty if there is a leader. */
  public Optional<Leadership> campaign() {
    HeldLease lease = new HeldLease(place.time(), heldFor(seat.length()));
    AtomicReference<Optional<Long>> won = new AtomicReference<>(Optional.empty());
    lease.renew(
        () -> {
          Instant now = place.storeTime().now();
          won.set(place.rows().transact(rows -> seat.campaign(rows, id, now)));
          return won.get().isPresent();
        });
    return won.get().map(term -> new Leadership(seat, term, lease));
  }

  /** Renews {@code leadership}; returns whether it still is the latest term. */
  public boolean renew(Leadership leadership) {
    return leadership.lease().renew(() -> renewRow(leadership));
  }

  boolean renewRow(Leadership leadership) {
    Instant now = place.storeTime().now();
    return place.rows().transact(rows -> seat.renew(rows, leadership.term(), now));
  }

  /** Gives {@code leadership} up, so that another candidate can follow at once. */
  public void resign(Leadership leadership) {
    leadership.lease().lose();
    place
        .rows()
        .transact(
            rows -> {
              seat.resign(rows, leadership.term());
              return id;
            });
  }

  /** The rest of the current lease, if it is not renewed; zero if there is no leader. */
  Duration untilVacant() {
    Instant now = place.storeTime().now();
    Optional<LeaderSeat.Holder> holder = place.rows().read(seat::holder);
    return holder
        .filter(known -> !known.isOver(now))
        .map(known -> Duration.between(now, known.until()).plusMillis(1))
        .orElse(Duration.ZERO);
  }
}
