package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.pool.JobInfo;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a pool keeps of a job beside its payload.
 *
 * @param state where it is
 * @param epoch which assignment this is; greater for every later one of the same key, also after
 *     the job has gone and come again
 * @param created when it was dispatched, in milliseconds
 * @param attempts how often it failed
 * @param requeued whether a worker had started it before
 * @param mail how many letters wait for it
 * @param token the shard that counts it as queued; -1 once it has been started
 * @param waiter who waits for its start
 * @param once the id of its {@code dispatchOnce}
 * @param retry what happens if it fails
 * @param failure what its handler said last
 */
public record JobRow(
    JobState state,
    long epoch,
    long created,
    int attempts,
    boolean requeued,
    int mail,
    int token,
    @Nullable Waiter waiter,
    @Nullable String once,
    RetryPolicy retry,
    @Nullable String failure) {
  public static final int NO_TOKEN = -1;
  private static final int FORMAT = 1;

  JobRow in(JobState next) {
    return new JobRow(
        next, epoch, created, attempts, requeued, mail, token, waiter, once, retry, failure);
  }

  /** At its next owner, or waiting for one. */
  JobRow assignedBy(WorkerSlots slots, String key) {
    boolean moved = requeued || state instanceof JobState.Running;
    JobState next =
        slots.route(key).<JobState>map(JobState.Assigned::new).orElseGet(JobState.Waiting::new);
    return new JobRow(
        next, epoch + 1, created, attempts, moved, mail, token, waiter, once, retry, failure);
  }

  JobRow withMail(int letters) {
    return new JobRow(
        state, epoch, created, attempts, requeued, letters, token, waiter, once, retry, failure);
  }

  JobRow withWaiter(@Nullable Waiter next) {
    return new JobRow(
        state, epoch, created, attempts, requeued, mail, token, next, once, retry, failure);
  }

  /** As one that has been started: nobody waits for that, and it is not queued. */
  JobRow settled() {
    return new JobRow(
        state, epoch, created, attempts, requeued, mail, NO_TOKEN, null, null, retry, failure);
  }

  JobRow failed(String text, int times) {
    return new JobRow(
        state, epoch, created, times, requeued, mail, token, waiter, once, retry, text);
  }

  /** The worker that owns the job, started or not. */
  public Optional<String> owner() {
    return switch (state) {
      case JobState.Assigned(String worker) -> Optional.of(worker);
      case JobState.Running(String worker) -> Optional.of(worker);
      case JobState.Waiting waiting -> Optional.empty();
      case JobState.Scheduled scheduled -> Optional.empty();
      case JobState.Dead dead -> Optional.empty();
    };
  }

  boolean isOwnedBy(String worker, long expectedEpoch) {
    return epoch == expectedEpoch && owner().filter(worker::equals).isPresent();
  }

  byte[] encode() {
    return switch (state) {
      case JobState.Waiting waiting -> encode(0, "", 0);
      case JobState.Assigned(String worker) -> encode(1, worker, 0);
      case JobState.Running(String worker) -> encode(2, worker, 0);
      case JobState.Scheduled(long due) -> encode(3, "", due);
      case JobState.Dead dead -> encode(4, "", 0);
    };
  }

  private byte[] encode(int number, String worker, long due) {
    return Tuple.of(
            FORMAT,
            number,
            worker,
            due,
            epoch,
            created,
            attempts,
            requeued,
            mail,
            token,
            waiter == null ? null : waiter.client(),
            waiter == null ? 0 : waiter.request(),
            once,
            failure,
            retry.attemptsMax(),
            retry.firstDelay().toMillis(),
            retry.delayMax().toMillis())
        .pack();
  }

  public static JobRow decode(byte[] bytes) {
    Tuple row = Tuple.unpack(bytes);
    if (row.getInt(0) != FORMAT) {
      throw new IllegalStateException(
          "A job has the format %d; this version reads %d".formatted(row.getInt(0), FORMAT));
    }
    Waiter waiter = row.isNull(10) ? null : new Waiter(row.getString(10), row.getLong(11));
    return new JobRow(
        state(row),
        row.getLong(4),
        row.getLong(5),
        row.getInt(6),
        row.getBoolean(7),
        row.getInt(8),
        row.getInt(9),
        waiter,
        row.isNull(12) ? null : row.getString(12),
        new RetryPolicy(
            row.getInt(14), Duration.ofMillis(row.getLong(15)), Duration.ofMillis(row.getLong(16))),
        row.isNull(13) ? null : row.getString(13));
  }

  private static JobState state(Tuple row) {
    return switch (row.getInt(1)) {
      case 0 -> new JobState.Waiting();
      case 1 -> new JobState.Assigned(row.getString(2));
      case 2 -> new JobState.Running(row.getString(2));
      case 3 -> new JobState.Scheduled(row.getLong(3));
      case 4 -> new JobState.Dead();
      default -> throw new IllegalStateException("A job has the unknown state " + row.get(1));
    };
  }

  public JobInfo info(String key) {
    Optional<Instant> due =
        state instanceof JobState.Scheduled(long time)
            ? Optional.of(Instant.ofEpochMilli(time))
            : Optional.empty();
    return new JobInfo(
        key,
        publicState(),
        owner(),
        attempts,
        Instant.ofEpochMilli(created),
        due,
        Optional.ofNullable(failure));
  }

  JobInfo.State publicState() {
    return switch (state) {
      case JobState.Waiting waiting -> JobInfo.State.WAITING;
      case JobState.Assigned assigned -> JobInfo.State.ASSIGNED;
      case JobState.Running running -> JobInfo.State.RUNNING;
      case JobState.Scheduled scheduled -> JobInfo.State.SCHEDULED;
      case JobState.Dead dead -> JobInfo.State.DEAD;
    };
  }
}
