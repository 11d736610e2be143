package dev.tidemark.loader.internal.engine;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.LoadResult.Ending;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.MessageInfo;
import dev.tidemark.loader.MessageInfo.State;
import dev.tidemark.loader.TimeBudget;
import dev.tidemark.loader.internal.engine.Counters.Count;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run. The caller's thread keeps leases alive, watches the marks of the budget, and at the end
 * gives back what is left; a puller, a merger and who works ahead of it have threads of their own.
 * A failure that none of them expects ends the run, is logged, and is the reason in the result.
 */
final class LoadRun {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.loader");
  private static final Duration GRACE_MAX = Duration.ofSeconds(2);
  private static final int RENEWALS_A_LEASE = 3;

  private final Parts parts;
  private final Ledger ledger;
  private final RunClock clock;
  private final Settler settler;
  private final Thread puller;
  private final Thread ahead;
  private final Thread merger;
  private final Map<Count, Long> before;
  private final long renewEvery;

  // Only the caller's thread uses these.
  private long renewAt;
  private boolean interrupted;

  LoadRun(Parts parts, RunMode mode, @Nullable TimeBudget budget) {
    this.parts = parts;
    this.ledger = new Ledger(parts.options(), mode);
    this.clock = new RunClock(parts.options().time(), budget);
    this.settler = new Settler(parts, ledger, clock);
    this.before = parts.counters().counts();
    parts.counters().forgetJobs();
    this.renewEvery =
        parts.source().lease().map(lease -> lease.toNanos() / RENEWALS_A_LEASE).orElse(0L);
    this.renewAt = clock.time().nanos() + renewEvery;
    Puller pulling = new Puller(parts, ledger, clock, settler, mode);
    Merger merging = new Merger(parts, ledger, clock, settler, mode);
    this.puller = thread(Thread.ofVirtual(), "pull", pulling::run, ledger::pullingEnded);
    // A warehouse within this process would keep carriers of virtual threads busy all the time.
    this.ahead = thread(Thread.ofPlatform().daemon(), "work ahead", this::workAhead, () -> {});
    this.merger = thread(Thread.ofPlatform().daemon(), "merge", merging::run, () -> {});
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private Thread thread(Thread.Builder builder, String what, Work work, Runnable last) {
    return builder
        .name("loader-" + what + "-" + parts.source().name())
        .unstarted(
            () -> {
              try {
                work.run();
              } catch (InterruptedException interrupt) {
                ledger.end(new Ending.Closed());
              } catch (Throwable failure) {
                LOG.log(
                    Level.ERROR, "The loader cannot " + what + " any more; its run ends", failure);
                ledger.end(new Ending.Crashed(failure));
              } finally {
                last.run();
              }
            });
  }

  /** Makes the next batch ready while one is merged, because all others wait for the merger. */
  private void workAhead() throws InterruptedException {
    Optional<Gathered> next = ledger.awaitNext();
    while (next.isPresent()) {
      next.get().workAhead(parts.warehouse(), parts.mapping().table());
      next = ledger.awaitNext();
    }
  }

  /** Runs to the end. Interrupting the thread ends the run as closing does. */
  LoadResult run() {
    try {
      puller.start();
      ahead.start();
      merger.start();
      while (!isOver()) {
        renew();
        ledger.awaitChange();
      }
    } catch (InterruptedException | InterruptedOperationException interrupt) {
      interrupted = true;
      ledger.end(new Ending.Closed());
    } catch (Throwable failure) {
      LOG.log(Level.ERROR, "The loader cannot keep its leases any more; its run ends", failure);
      ledger.end(new Ending.Crashed(failure));
    }
    release();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return parts.counters().since(before, clock.elapsed(), ledger.ending().orElseThrow());
  }

  /** Asks the run to end soon. */
  void stop() {
    ledger.end(new Ending.Closed());
  }

  List<MessageInfo> messages() {
    return ledger.infos();
  }

  /** How many deliveries are open; unlike {@link #messages}, asking costs nothing. */
  int open() {
    return ledger.openCount();
  }

  int buffered() {
    return ledger.buffered();
  }

  private boolean isOver() {
    return ledger.ending().isPresent() || clock.mustRelease() || !merger.isAlive();
  }

  private void renew() {
    if (renewEvery > 0 && clock.time().nanos() - renewAt >= 0) {
      settler.extend();
      renewAt = clock.time().nanos() + renewEvery;
    }
  }

  /** Gives back what is left. A step that fails is logged, and the next one is taken. */
  private void release() {
    ledger.end(new Ending.BudgetUsed());
    settler.end();
    ledger.release();
    last("wait for the merger", () -> end(merger));
    last("wait for who works ahead", () -> end(ahead));
    last("wait for the puller", () -> end(puller));
    last("settle what is in flight", this::settleInFlight);
    last("wait for acknowledgements", () -> settler.awaitAcks(positive(clock.rest())));
    List<Delivery> open = ledger.open();
    last("acknowledge what is stored", () -> settler.ack(open));
    last("give back what waits", () -> settler.nack(open, State.BUFFERED, ledger.isOutOfTime()));
    last(
        "give back what is in flight",
        () -> settler.nack(open, State.IN_FLIGHT, ledger.isOutOfTime()));
  }

  /** An interrupt is kept for the end of the run: with its flag the source would hear nothing. */
  private void last(String what, Work step) {
    interrupted |= Thread.interrupted();
    try {
      step.run();
    } catch (InterruptedException | InterruptedOperationException interrupt) {
      interrupted = true;
      Thread.interrupted();
    } catch (Throwable failure) {
      LOG.log(Level.ERROR, "At its end the loader could not " + what, failure);
    }
  }

  /** Lets a thread finish what it does; after a grace it is interrupted. */
  private void end(Thread thread) throws InterruptedException {
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    Duration grace = clock.grace().compareTo(GRACE_MAX) < 0 ? clock.grace() : GRACE_MAX;
    try {
      if (!thread.join(positive(grace))) {
        thread.interrupt();
        if (!thread.join(positive(grace))) {
          LOG.log(Level.WARNING, thread.getName() + " does not end; its messages are given back");
        }
      }
    } catch (InterruptedException interrupt) {
      thread.interrupt();
      throw interrupt;
    }
  }

  private static Duration positive(Duration duration) {
    return duration.isZero() ? Duration.ofMillis(1) : duration;
  }

  /**
   * Settles a merge that has not ended by its id; gives its messages back if the outcome stays
   * unknown.
   */
  private void settleInFlight() {
    ledger
        .inFlight()
        .ifPresent(
            job -> {
              try {
                if (parts.warehouse().settle(job.job()) instanceof MergeOutcome.Merged) {
                  settler.stored(job.deliveries(), Count.MERGED);
                }
              } catch (RuntimeException failure) {
                LOG.log(Level.WARNING, "Job " + job.job() + " cannot be settled", failure);
              }
            });
  }
}
