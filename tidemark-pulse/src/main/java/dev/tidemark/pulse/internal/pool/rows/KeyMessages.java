package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;
import dev.tidemark.pulse.pool.PoolFullException;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.util.List;

/**
 * Messages to keys. A key for which messages wait has a box, which is a job of its own: its letters
 * are the messages, and it is done when they have been handed over. So boxes wait for workers, move
 * and survive as jobs do, and one worker at a time has the messages of a key.
 */
public final class KeyMessages {
  private static final String BOX = "\0";
  private static final byte[] NOTHING = {};

  private KeyMessages() {}

  /** Whether a job is the box of a key. No job of a user is called like that. */
  public static boolean isBox(String job) {
    return job.startsWith(BOX);
  }

  /** The key that a job is routed by: for a box, that of its messages. */
  public static String keyOf(String job) {
    return isBox(job) ? job.substring(BOX.length()) : job;
  }

  /** Leaves a message for {@code key}. */
  public static void send(
      Rows rows, String key, byte[] payload, PoolConfig config, JobMail.Stamp stamp) {
    String box = BOX + key;
    Dispatching.checkOpen(rows);
    if (JobTable.get(rows, box).isEmpty()) {
      Dispatching.dispatch(
          rows,
          new Dispatching.Request(box, NOTHING, null, RetryPolicy.NONE, null, null, 0),
          config,
          stamp.time());
    }
    JobRow job = JobTable.get(rows, box).orElseThrow();
    if (job.mail() >= JobMail.LETTERS_MAX) {
      throw new PoolFullException(
          "%,d messages for the key %s wait, which is the limit; its handler is too slow"
              .formatted(JobMail.LETTERS_MAX, key));
    }
    JobMail.leave(rows, box, job, new JobMail.Letter(stamp.row(box), false, payload, null));
  }

  /**
   * The owner has handed these letters over. With the last one the box is done; otherwise it goes
   * to whom it belongs to now, behind what waits there.
   */
  public static void taken(Rows rows, JobClaim claim, List<JobMail.Letter> letters) {
    JobMail.taken(rows, claim, letters);
    JobTable.owned(rows, claim)
        .ifPresent(
            box -> {
              if (box.mail() == 0) {
                JobTable.remove(rows, claim.key(), box);
              } else {
                JobRow moved = box.assignedBy(Dispatching.slots(rows), claim.key());
                JobTable.put(rows, claim.key(), box, moved);
              }
            });
  }
}
