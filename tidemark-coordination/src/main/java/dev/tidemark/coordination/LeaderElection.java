package dev.tidemark.coordination;

import dev.tidemark.kv.InterruptedOperationException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Elects one leader among several processes: each stands for election whenever there is no leader,
 * renews the lease while it leads, and is called back when its term ends.
 *
 * <p>At any time at most one process leads by its own account, and every term is greater than those
 * before. A leader that closes is succeeded at once, one that died when its lease ends by the
 * store's time.
 */
public final class LeaderElection implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.coordination");
  private static final Duration RESIGN_WITHIN = Duration.ofSeconds(2);
  private static final int TRIES_PER_LENGTH = 10;

  private final Coordination place;
  private final LeaderSeat seat;
  private final Candidate candidate;
  private final String name;
  private final Listener listener;
  private final Semaphore signal = new Semaphore(0);
  private final RowStore.Listening wakes;
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable Leadership current;
  private volatile @Nullable LeaseWatch watch;

  /** The work of a leader. Called by one thread at a time; returns soon. */
  public interface Listener {
    /** This process leads from now on, until {@link #lost} is called for the same term. */
    void elected(Leadership leadership);

    /**
     * The term has ended: another candidate may be elected. Called once for each {@link #elected}.
     */
    void lost(Leadership leadership);

    /** A step of the election failed; it is tried again. */
    default void failed(Throwable failure) {
      LOG.log(Level.WARNING, "An election goes on after a failure", failure);
    }
  }

  /**
   * Stands for election from now on.
   *
   * @param id the name of this candidate, which no other process has
   */
  public LeaderElection(Coordination place, LeaderSeat seat, String id, Listener listener) {
    this.place = place;
    this.seat = seat;
    this.candidate = new Candidate(place, seat, id);
    this.name = seat.name() + "-" + id;
    this.listener = listener;
    this.wakes = place.rows().onWake(seat.channel(), hint -> signal.release());
    this.thread = Threads.startDaemon("election-" + name, this::run);
  }

  /** The term of this process, if it leads now. */
  public Optional<Leadership> current() {
    return Optional.ofNullable(current).filter(Leadership::isHeld);
  }

  /** The leader by the store, or the last one; empty if there never was one. */
  public Optional<LeaderSeat.Holder> leader() {
    return place.rows().read(seat::holder);
  }

  /** An error is a failure like any other: a lease that it leaves behind expires. */
  private void run() {
    while (!closed) {
      try {
        Optional<Leadership> won = candidate.campaign();
        if (won.isPresent()) {
          lead(won.get());
        } else {
          pause(candidate.untilVacant());
        }
      } catch (InterruptedException | InterruptedOperationException interrupt) {
        // By the end, which the loop looks for; or a listener has left it behind, and no step would
        // succeed with it.
        Thread.interrupted();
      } catch (Throwable failure) {
        afterFailure(failure);
      }
    }
  }

  private void lead(Leadership leadership) {
    current = leadership;
    Heartbeat heartbeat = new Heartbeat("heartbeat-" + name, leadership.lease(), beats(leadership));
    try {
      announce(leadership);
      awaitLoss(leadership);
    } finally {
      heartbeat.close();
      current = null;
      watch = null;
    }
    resign(leadership);
  }

  private Heartbeat.Steps beats(Leadership leadership) {
    return new Heartbeat.Steps() {
      @Override
      public boolean renew() {
        return candidate.renewRow(leadership);
      }

      @Override
      public void beaten() {
        LeaseWatch watching = watch;
        if (watching != null && !leadership.isHeld()) {
          watching.look();
        }
      }

      @Override
      public void failed(Throwable failure) {
        listener.failed(failure);
      }
    };
  }

  private void announce(Leadership leadership) {
    try {
      listener.elected(leadership);
    } catch (Throwable failure) {
      leadership.giveUp();
      listener.failed(failure);
    }
  }

  private void awaitLoss(Leadership leadership) {
    LeaseWatch watching =
        new LeaseWatch("lease-" + name, leadership.lease(), () -> listener.lost(leadership));
    watch = watching;
    if (closed) {
      endTerm();
    }
    Threads.undisturbed(watching::awaitEnd);
  }

  /** Lets another candidate follow at once; if the store does not answer, the lease expires. */
  private void resign(Leadership leadership) {
    Threads.undisturbed(
        () -> {
          try {
            BoundedCall.within(
                RESIGN_WITHIN,
                () -> {
                  candidate.resign(leadership);
                  return true;
                });
          } catch (RuntimeException outage) {
            LOG.log(Level.DEBUG, "A leader could not resign; its lease runs out", outage);
          }
        });
  }

  private void afterFailure(Throwable failure) {
    if (closed) {
      return;
    }
    try {
      listener.failed(failure);
      pause(seat.length().dividedBy(TRIES_PER_LENGTH));
    } catch (InterruptedException end) {
      // Only the end interrupts.
    } catch (Throwable listenerFailed) {
      LOG.log(Level.ERROR, "An election goes on; its listener failed", listenerFailed);
    }
  }

  private void pause(Duration wanted) throws InterruptedException {
    Duration wait = wanted.compareTo(seat.length()) < 0 ? wanted : seat.length();
    if (signal.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
      signal.drainPermits();
    }
  }

  private void endTerm() {
    Leadership leading = current;
    LeaseWatch watching = watch;
    if (leading != null && watching != null) {
      leading.giveUp();
      watching.look();
    }
  }

  /** Withdraws the candidate; a leader gives up its term, after {@link Listener#lost}. */
  @Override
  public void close() {
    closed = true;
    wakes.close();
    endTerm();
    signal.release();
    Threads.awaitEnd(List.of(thread));
  }
}
