package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.pool.JobExistsException;
import dev.tidemark.pulse.pool.PoolClosedException;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How jobs come into a pool: each of these is one transition. */
public final class Dispatching {
  private Dispatching() {}

  /**
   * A job to be taken.
   *
   * @param due when it is to be started, in milliseconds; null for at once
   * @param waiter who waits for its start
   * @param once the id of a {@code dispatchOnce}
   * @param keep how long the outcome of that is remembered, in milliseconds
   */
  @SuppressWarnings("ArrayRecordComponent")
  public // never compared as a whole
  record Request(
      String key,
      byte[] payload,
      @Nullable Long due,
      RetryPolicy retry,
      @Nullable Waiter waiter,
      @Nullable String once,
      long keep) {}

  /**
   * Takes a job: at its worker at once if there is one.
   *
   * @param config what counts as long as no node has said otherwise
   * @return the outcome if it is known already, from an earlier dispatch with the same id
   */
  public static Optional<JobOutcomes.Once> dispatch(
      Rows rows, Request request, PoolConfig config, long now) {
    fetch(rows, request);
    checkOpen(rows);
    String once = request.once();
    if (once != null) {
      byte[] digest = JobOutcomes.digest(request.key(), request.payload());
      Optional<JobOutcomes.Once> known = JobOutcomes.once(rows, once, digest, now);
      if (known.isPresent()) {
        waitAsWell(rows, request, once);
        return known.filter(JobOutcomes.Once::done);
      }
      JobOutcomes.beginOnce(rows, once, digest, request.keep());
    }
    JobTable.get(rows, request.key()).ifPresent(job -> refuse(request.key(), job));
    create(rows, request, config, now);
    return Optional.empty();
  }

  /** All rows that a dispatch mostly needs, in one step. */
  private static void fetch(Rows rows, Request request) {
    List<Tuple> keys =
        new ArrayList<>(
            List.of(
                PoolKeys.SHUTDOWN, PoolKeys.CONFIG, PoolKeys.RING, PoolKeys.job(request.key())));
    keys.addAll(TokenShards.keys(rows, TokenShards.home(request.key())));
    if (request.once() != null) {
      keys.add(PoolKeys.ONCE.append(request.once()));
    }
    rows.peekAll(keys);
  }

  public static void checkOpen(Rows rows) {
    if (rows.get(PoolKeys.SHUTDOWN).isPresent()) {
      throw new PoolClosedException(
          "The pool is being shut down and takes nothing; try again when that is done");
    }
  }

  private static void refuse(String key, JobRow job) {
    String remedy =
        job.state() instanceof JobState.Dead ? "replay it or stop it first" : "stop it first";
    throw new JobExistsException(
        "The pool has a job with the key %s, which is %s; %s, or choose another key"
            .formatted(key, job.publicState(), remedy));
  }

  /** The earlier caller is gone or asks again: the outcome goes to the latest caller. */
  private static void waitAsWell(Rows rows, Request request, String once) {
    JobTable.get(rows, request.key())
        .filter(job -> once.equals(job.once()))
        .ifPresent(job -> JobTable.put(rows, request.key(), job, job.withWaiter(request.waiter())));
  }

  private static void create(Rows rows, Request request, PoolConfig config, long now) {
    String key = request.key();
    Optional<PoolConfig> shared = PoolConfig.stored(rows);
    if (shared.isEmpty()) {
      rows.set(PoolKeys.CONFIG, config.encode());
    }
    int token = QueueTokens.take(rows, key, shared.orElse(config).queuedMax());
    Long due = request.due();
    JobRow job =
        new JobRow(
            due == null ? new JobState.Waiting() : new JobState.Scheduled(due),
            KeyEpochs.next(rows, key),
            now,
            0,
            false,
            0,
            token,
            request.waiter(),
            request.once(),
            request.retry(),
            null);
    JobRow placed = due == null ? job.assignedBy(slots(rows), key) : job;
    JobTable.create(rows, key, placed, request.payload());
  }

  public static WorkerSlots slots(Rows rows) {
    return WorkerSlots.decode(rows.get(PoolKeys.RING));
  }

  /** Gives waiting jobs to workers; how many of them. */
  public static int placeWaiting(Rows rows, int limit) {
    WorkerSlots slots = slots(rows);
    if (slots.isEmpty()) {
      return 0;
    }
    List<String> keys = keys(rows.peek(PoolKeys.WAITING, PoolKeys.WAITING, limit));
    JobTable.fetch(rows, keys);
    for (String key : keys) {
      rows.clear(PoolKeys.WAITING.append(key));
      JobTable.get(rows, key)
          .filter(job -> job.state() instanceof JobState.Waiting)
          .ifPresent(job -> JobTable.put(rows, key, job, job.assignedBy(slots, key)));
    }
    return keys.size();
  }

  /** Starts the scheduled job {@code key} if it is that of {@code due}. */
  public static void start(Rows rows, String key, long due) {
    WorkerSlots slots = slots(rows);
    JobTable.get(rows, key)
        .filter(job -> job.state().equals(new JobState.Scheduled(due)))
        .ifPresent(job -> JobTable.put(rows, key, job, job.assignedBy(slots, key)));
  }

  /** Gives a dead job back to the workers; whether there was one. */
  public static boolean replay(Rows rows, String key) {
    checkOpen(rows);
    Optional<JobRow> dead =
        JobTable.get(rows, key).filter(job -> job.state() instanceof JobState.Dead);
    WorkerSlots slots = slots(rows);
    dead.ifPresent(
        job ->
            JobTable.put(
                rows, key, job, job.failed("", 0).withWaiter(null).assignedBy(slots, key)));
    return dead.isPresent();
  }

  /** The last elements of the keys of rows. */
  public static List<String> keys(List<Rows.Row> found) {
    return found.stream().map(row -> PoolKeys.last(row.key())).toList();
  }
}
