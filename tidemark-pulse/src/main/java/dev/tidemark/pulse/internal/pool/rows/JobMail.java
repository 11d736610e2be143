package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.pool.PoolFullException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notifications and requests to stop, kept with their job so that they follow it from owner to
 * owner. The owner finds them by a pointer, or when it starts the job.
 */
public final class JobMail {
  /** How many notifications may wait for one job. */
  static final int LETTERS_MAX = 1_000;

  /** Requests to stop find room behind that many, so that a job with a full box can be stopped. */
  private static final int STOPS_MAX = 1_000;

  private static final int BOX_MAX = LETTERS_MAX + STOPS_MAX;

  private JobMail() {}

  /**
   * A letter for a job.
   *
   * @param row its key
   * @param stop whether it asks to stop the job; otherwise it is a notification
   * @param payload what a notification carries
   * @param waiter who waits for the job to stop
   */
  @SuppressWarnings("ArrayRecordComponent")
  public // never compared as a whole
  record Letter(Tuple row, boolean stop, byte[] payload, @Nullable Waiter waiter) {
    static Letter of(Rows.Row row) {
      Tuple head = HeadAndPayload.head(row.value());
      Waiter waiter = head.isNull(1) ? null : new Waiter(head.getString(1), head.getLong(2));
      byte[] payload = HeadAndPayload.payload(row.value());
      return new Letter(row.key(), head.getBoolean(0), payload, waiter);
    }

    byte[] encode() {
      Tuple head =
          Tuple.of(
              stop, waiter == null ? null : waiter.client(), waiter == null ? 0 : waiter.request());
      return HeadAndPayload.encode(head, payload);
    }
  }

  /**
   * Where a letter has its place: senders by time, and each of them in its own order.
   *
   * @param time the sender's time, in milliseconds
   * @param sender the id of the sender
   * @param number the sender's sequence number
   */
  public record Stamp(long time, String sender, long number) {
    Tuple row(String key) {
      return PoolKeys.MAIL.append(key).append(time).append(sender).append(number);
    }
  }

  /** Leaves a notification for the job {@code key}; whether there is such a job. */
  public static boolean notify(Rows rows, String key, byte[] payload, Stamp stamp) {
    Optional<JobRow> job =
        JobTable.get(rows, key).filter(found -> !(found.state() instanceof JobState.Dead));
    job.ifPresent(
        found -> leave(rows, key, found, new Letter(stamp.row(key), false, payload, null)));
    return job.isPresent();
  }

  /** What a request to stop came to. */
  public enum StopRequest {
    NO_JOB,
    FORGOTTEN,
    LEFT_WITH_OWNER
  }

  /** Removes the job {@code key} if it has no owner, or asks its owner to stop it. */
  public static StopRequest stop(Rows rows, String key, Waiter waiter, Stamp stamp) {
    Optional<JobRow> found = JobTable.get(rows, key);
    if (found.isEmpty()) {
      return StopRequest.NO_JOB;
    }
    if (found.get().owner().isEmpty()) {
      JobTransitions.forget(rows, key, found.get(), stamp.time());
      return StopRequest.FORGOTTEN;
    }
    leave(rows, key, found.get(), new Letter(stamp.row(key), true, new byte[0], waiter));
    return StopRequest.LEFT_WITH_OWNER;
  }

  /** Leaves a letter for a job. */
  static void leave(Rows rows, String key, JobRow job, Letter letter) {
    if (job.mail() >= (letter.stop() ? BOX_MAX : LETTERS_MAX)) {
      throw new PoolFullException(
          "%,d %s wait for the job %s, which is the limit; its handler is too slow"
              .formatted(job.mail(), letter.stop() ? "letters" : "notifications", key));
    }
    rows.set(letter.row(), letter.encode());
    JobTable.put(rows, key, job, job.withMail(job.mail() + 1));
  }

  /** The oldest letters for a job, in order. While there are more, its owner is told again. */
  public static List<Letter> letters(Rows rows, String key) {
    Tuple box = PoolKeys.MAIL.append(key);
    return rows.peek(box, box, LETTERS_MAX).stream().map(Letter::of).toList();
  }

  /** The owner has dealt with these letters. */
  public static void taken(Rows rows, JobClaim claim, List<Letter> letters) {
    Optional<JobRow> owned = JobTable.owned(rows, claim);
    if (owned.isEmpty()) {
      return;
    }
    int there = rows.getAll(letters.stream().map(Letter::row).toList()).size();
    letters.forEach(letter -> rows.clear(letter.row()));
    JobRow job = owned.get();
    JobTable.put(rows, claim.key(), job, job.withMail(Math.max(0, job.mail() - there)));
  }

  /** The owner could not stop the job as {@code letter} asks. */
  public static void refused(Rows rows, JobClaim claim, Letter letter, String text, long now) {
    Waiter waiter = letter.waiter();
    if (waiter != null) {
      JobOutcomes.reply(rows, waiter, false, text, now);
    }
    taken(rows, claim, List.of(letter));
  }

  /** Tells all who asked to stop the job that it is stopped; whether anybody did. */
  static boolean settleStops(Rows rows, String key, JobRow job, long now) {
    if (job.mail() == 0) {
      return false;
    }
    List<Waiter> waiters = new ArrayList<>();
    for (Rows.Row row : rows.scan(PoolKeys.MAIL.append(key), BOX_MAX)) {
      Letter letter = Letter.of(row);
      if (letter.waiter() != null) {
        waiters.add(letter.waiter());
      }
    }
    waiters.forEach(waiter -> JobOutcomes.reply(rows, waiter, true, "", now));
    return !waiters.isEmpty();
  }
}
