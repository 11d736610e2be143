package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What an owner does with its job, each one transition. All of them take the claim and do nothing
 * if it no longer holds, which is how a worker that was thought dead cannot harm its successor.
 *
 * <p>Only the owner moves a job on while its node is alive; others do so only after they have
 * removed the node in a transaction of its own. So an owner may begin as soon as it sees the
 * assignment, and say afterwards that it did.
 */
public final class JobTransitions {
  private JobTransitions() {}

  /** The owner has started the job; whether it still is the owner. */
  public static boolean started(Rows rows, JobClaim claim, long now) {
    Optional<JobRow> owned = JobTable.owned(rows, claim);
    owned.ifPresent(
        job -> {
          if (job.state() instanceof JobState.Assigned) {
            JobOutcomes.settleStart(rows, job, true, "", now);
            JobRow running = job.settled().in(new JobState.Running(claim.worker()));
            JobTable.put(rows, claim.key(), job, running);
          }
        });
    return owned.isPresent();
  }

  /** The job is done; whether the owner still was the owner. */
  public static boolean finished(Rows rows, JobClaim claim, long now) {
    Optional<JobRow> owned = JobTable.owned(rows, claim);
    owned.ifPresent(
        job -> {
          JobOutcomes.settleStart(rows, job, true, "", now);
          JobMail.settleStops(rows, claim.key(), job, now);
          JobTable.remove(rows, claim.key(), job);
        });
    return owned.isPresent();
  }

  /** What becomes of a job that failed. */
  public enum AfterFailure {
    /** Nothing: it is another's by now. */
    NOT_OWNED,
    /** It is tried again. */
    TRIED_AGAIN,
    /** Whoever waits for its start is told, and it goes. */
    CALLER_IS_TOLD,
    /** It is kept as a dead one, or goes because somebody asked for that. */
    GIVEN_UP
  }

  /** The owner could not start a long-running job. */
  public static AfterFailure startFailed(
      Rows rows, JobClaim claim, String text, Duration grace, long now) {
    return JobTable.owned(rows, claim)
        .map(job -> startFailed(rows, claim.key(), job, text, grace, now))
        .orElse(AfterFailure.NOT_OWNED);
  }

  private static AfterFailure startFailed(
      Rows rows, String key, JobRow job, String text, Duration grace, long now) {
    JobRow failed = job.failed(text, job.attempts() + 1);
    boolean given = failed.attempts() >= job.retry().attemptsMax();
    if (given && job.requeued() && job.retry().attemptsMax() == 1) {
      later(rows, key, job, job.failed(text, job.attempts()), now, grace);
      return AfterFailure.TRIED_AGAIN;
    }
    if (given && job.waiter() != null) {
      JobOutcomes.settleStart(rows, job, false, text, now);
      buryUntilHeard(rows, key, job, failed, now);
      return AfterFailure.CALLER_IS_TOLD;
    }
    retryOrBury(rows, key, job, failed, now);
    return given ? AfterFailure.GIVEN_UP : AfterFailure.TRIED_AGAIN;
  }

  /** A job that ends by itself ended with a failure; whether the owner still was the owner. */
  public static boolean runFailed(Rows rows, JobClaim claim, String text, long now) {
    Optional<JobRow> owned = JobTable.owned(rows, claim);
    owned.ifPresent(
        job -> {
          JobOutcomes.settleStart(rows, job, true, "", now);
          JobRow failed = job.settled().failed(text, job.attempts() + 1);
          retryOrBury(rows, claim.key(), job, failed, now);
        });
    return owned.isPresent();
  }

  private static void retryOrBury(Rows rows, String key, JobRow job, JobRow failed, long now) {
    if (failed.attempts() < job.retry().attemptsMax()) {
      later(rows, key, job, failed, now, job.retry().delayAfter(failed.attempts()));
    } else {
      JobOutcomes.settleStart(rows, failed, false, String.valueOf(failed.failure()), now);
      bury(rows, key, job, failed, now);
    }
  }

  /**
   * Keeps the job for its dispatcher, who takes it away on hearing of the failure. Should nobody
   * hear of it, since the dispatcher died or was interrupted, the job is there as a dead one.
   */
  private static void buryUntilHeard(Rows rows, String key, JobRow job, JobRow failed, long now) {
    if (JobMail.settleStops(rows, key, job, now)) {
      JobTable.remove(rows, key, job);
    } else {
      JobRow dead = failed.settled().withWaiter(job.waiter()).in(new JobState.Dead());
      JobTable.put(rows, key, job, dead);
    }
  }

  /** A job that somebody asked to stop is forgotten instead. */
  private static void bury(Rows rows, String key, JobRow job, JobRow failed, long now) {
    if (JobMail.settleStops(rows, key, job, now)) {
      JobTable.remove(rows, key, job);
    } else {
      JobTable.put(rows, key, job, failed.settled().in(new JobState.Dead()));
    }
  }

  private static void later(
      Rows rows, String key, JobRow job, JobRow failed, long now, Duration delay) {
    JobTable.put(rows, key, job, failed.in(new JobState.Scheduled(now + delay.toMillis())));
  }

  /** The owner has stopped the job for good; whether it still was the owner. */
  public static boolean removed(Rows rows, JobClaim claim, long now) {
    Optional<JobRow> owned = JobTable.owned(rows, claim);
    owned.ifPresent(job -> forget(rows, claim.key(), job, now));
    return owned.isPresent();
  }

  /** Removes a job, and tells a caller who waits for its start that it will not start. */
  static void forget(Rows rows, String key, JobRow job, long now) {
    JobMail.settleStops(rows, key, job, now);
    if (!(job.state() instanceof JobState.Dead)) {
      JobOutcomes.settleStart(rows, job, false, "the job was stopped before it was started", now);
    }
    JobTable.remove(rows, key, job);
  }

  /**
   * Gives jobs, which do not run where they are any more, to the workers that they belong to now.
   */
  public static void handOver(Rows rows, Collection<JobClaim> claims) {
    WorkerSlots slots = Dispatching.slots(rows);
    JobTable.fetch(rows, claims.stream().map(JobClaim::key).toList());
    for (JobClaim claim : claims) {
      JobTable.owned(rows, claim)
          .ifPresent(
              job -> JobTable.put(rows, claim.key(), job, job.assignedBy(slots, claim.key())));
    }
  }

  /**
   * The same for the jobs that {@code entries} of the tables by state name, in whatever epoch. They
   * are known not to run at {@code worker}.
   */
  static void takeFrom(Rows rows, String worker, List<Rows.Row> entries) {
    WorkerSlots slots = Dispatching.slots(rows);
    JobTable.fetch(rows, Dispatching.keys(entries));
    for (Rows.Row entry : entries) {
      rows.clear(entry.key());
      String key = PoolKeys.last(entry.key());
      JobTable.get(rows, key)
          .filter(job -> job.owner().filter(worker::equals).isPresent())
          .ifPresent(job -> JobTable.put(rows, key, job, job.assignedBy(slots, key)));
    }
  }
}
