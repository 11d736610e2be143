package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/**
 * The rows of jobs, with those that find them by state, the pointers to their mail and the count of
 * queued ones. All changes of jobs go through here, so that these never disagree.
 */
public final class JobTable {
  private static final byte[] NOTHING = {};

  private JobTable() {}

  public static Optional<JobRow> get(Rows rows, String key) {
    return rows.get(PoolKeys.job(key)).map(JobRow::decode);
  }

  /** The job that {@code claim} is for, if the claim still holds. */
  public static Optional<JobRow> owned(Rows rows, JobClaim claim) {
    return get(rows, claim.key()).filter(job -> job.isOwnedBy(claim.worker(), claim.epoch()));
  }

  /** Reads the jobs {@code keys} in one step, so that {@link #get} costs none. */
  public static void fetch(Rows rows, Collection<String> keys) {
    rows.getAll(keys.stream().map(PoolKeys::job).toList());
  }

  static void create(Rows rows, String key, JobRow job, byte[] payload) {
    rows.set(PoolKeys.payload(key), payload);
    rows.set(PoolKeys.job(key), job.encode());
    enter(rows, key, job, worker -> AssignedHint.of(key, worker, job, payload));
  }

  static void put(Rows rows, String key, JobRow before, JobRow after) {
    if (before.token() != after.token()) {
      QueueTokens.release(rows, before.token());
    }
    leave(rows, key, before);
    rows.set(PoolKeys.job(key), after.encode());
    enter(rows, key, after, worker -> AssignedHint.of(key, worker));
  }

  /** Removes everything of a job. */
  static void remove(Rows rows, String key, JobRow job) {
    QueueTokens.release(rows, job.token());
    leave(rows, key, job);
    rows.clear(PoolKeys.job(key));
    rows.clear(PoolKeys.payload(key));
    if (job.mail() > 0) {
      rows.clearAll(PoolKeys.MAIL.append(key));
    }
  }

  private static void leave(Rows rows, String key, JobRow job) {
    rows.clear(PoolKeys.index(job.state(), key));
    if (job.mail() > 0) {
      job.owner().ifPresent(worker -> rows.clear(post(worker, key)));
    }
  }

  private static void enter(
      Rows rows, String key, JobRow job, Function<String, AssignedHint> hint) {
    rows.set(PoolKeys.index(job.state(), key), NOTHING);
    job.owner().ifPresent(worker -> tellOwner(rows, key, job, hint.apply(worker)));
    if (job.state() instanceof JobState.Scheduled) {
      rows.wake(PoolKeys.POOL_CHANNEL, RowStore.NO_HINT);
    }
  }

  private static void tellOwner(Rows rows, String key, JobRow job, AssignedHint hint) {
    String channel = PoolKeys.nodeChannel(PoolKeys.nodeOf(hint.worker()));
    if (job.mail() > 0) {
      rows.set(post(hint.worker(), key), NOTHING);
      rows.wake(channel, RowStore.NO_HINT);
    } else if (job.state() instanceof JobState.Assigned) {
      rows.wake(channel, hint.encode());
    }
  }

  private static Tuple post(String worker, String key) {
    return PoolKeys.ofWorker(PoolKeys.POST, worker).append(key);
  }
}
