package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.pool.ConflictingDispatchException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Replies to callers that wait for a job, and outcomes that are kept for repeated calls. */
public final class JobOutcomes {
  /** How long an answer waits for a client that may be gone. */
  private static final long REPLY_KEPT_MILLIS = 10 * 60_000;

  private JobOutcomes() {}

  /**
   * What is known of a {@code dispatchOnce}.
   *
   * @param digest of its key and payload
   * @param done whether the outcome is known
   * @param success whether the job was started
   * @param text what the handler said if it was not
   * @param keep how long the outcome is remembered, in milliseconds
   * @param until when it is forgotten, in milliseconds
   */
  @SuppressWarnings("ArrayRecordComponent")
  public // never compared as a whole
  record Once(byte[] digest, boolean done, boolean success, String text, long keep, long until) {
    byte[] encode() {
      return Tuple.of(digest, done, success, text, keep, until).pack();
    }

    static Once decode(byte[] bytes) {
      Tuple row = Tuple.unpack(bytes);
      return new Once(
          row.getBytes(0),
          row.getBoolean(1),
          row.getBoolean(2),
          row.getString(3),
          row.getLong(4),
          row.getLong(5));
    }
  }

  /** Tells {@code waiter}. */
  static void reply(Rows rows, Waiter waiter, boolean success, String text, long now) {
    byte[] reply = new Reply(waiter.request(), success, text, now).encode();
    rows.set(PoolKeys.REPLIES.append(waiter.client()).append(waiter.request()), reply);
    rows.wake(PoolKeys.clientChannel(waiter.client()), reply);
  }

  /** Notes that {@code waiter} no longer waits for the start of a job; the reply, if any. */
  public static Optional<Reply> giveUp(Rows rows, String key, Waiter waiter) {
    JobTable.get(rows, key)
        .filter(job -> waiter.equals(job.waiter()) && !(job.state() instanceof JobState.Dead))
        .ifPresent(job -> JobTable.put(rows, key, job, job.withWaiter(null)));
    return rows.get(PoolKeys.REPLIES.append(waiter.client()).append(waiter.request()))
        .map(Reply::decode);
  }

  /** Takes a job away whose start failed, now that {@code waiter} has heard of that. */
  public static void heardFailure(Rows rows, String key, Waiter waiter) {
    JobTable.get(rows, key)
        .filter(job -> waiter.equals(job.waiter()) && job.state() instanceof JobState.Dead)
        .ifPresent(job -> JobTable.remove(rows, key, job));
  }

  /** Tells those who wait for the start of {@code job} how it went. */
  static void settleStart(Rows rows, JobRow job, boolean success, String text, long now) {
    Waiter waiter = job.waiter();
    if (waiter != null) {
      reply(rows, waiter, success, text, now);
    }
    String once = job.once();
    if (once != null) {
      Tuple key = PoolKeys.ONCE.append(once);
      rows.get(key)
          .map(Once::decode)
          .map(o -> new Once(o.digest(), true, success, text, o.keep(), now + o.keep()))
          .ifPresent(known -> rows.set(key, known.encode()));
    }
  }

  /**
   * What is known of the {@code dispatchOnce} with {@code id}; empty if nothing is.
   *
   * @throws ConflictingDispatchException if the id was used for something else
   */
  static Optional<Once> once(Rows rows, String id, byte[] digest, long now) {
    Optional<Once> known =
        rows.get(PoolKeys.ONCE.append(id))
            .map(Once::decode)
            .filter(once -> !once.done() || once.until() > now);
    if (known.isPresent() && !Arrays.equals(known.get().digest(), digest)) {
      throw new ConflictingDispatchException(
          "The id %s was used for a dispatch with another key or payload; give this one its own"
              .formatted(id));
    }
    return known;
  }

  /** How the {@code dispatchOnce} with {@code id} ended, if it has. */
  public static Optional<Once> outcome(Rows rows, String id) {
    return rows.get(PoolKeys.ONCE.append(id)).map(Once::decode).filter(Once::done);
  }

  /** Remembers that a {@code dispatchOnce} with {@code id} is under way. */
  static void beginOnce(Rows rows, String id, byte[] digest, long keep) {
    rows.set(PoolKeys.ONCE.append(id), new Once(digest, false, false, "", keep, 0).encode());
  }

  static byte[] digest(String key, byte[] payload) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      digest.update(Tuple.of(bytes.length).pack());
      digest.update(bytes);
      return digest.digest(payload);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every JDK has SHA-256", impossible);
    }
  }

  /**
   * Forgets answers that nobody fetched, among some behind {@code after}.
   *
   * @return where to go on
   */
  public static Tuple sweepReplies(RowStore store, Tuple after, long now, int limit) {
    return store.transact(
        rows -> {
          List<Rows.Row> page = rows.peek(PoolKeys.REPLIES, after, limit);
          for (Rows.Row row : page) {
            if (Reply.decode(row.value()).time() + REPLY_KEPT_MILLIS < now) {
              rows.clear(row.key());
              rows.forget(PoolKeys.clientChannel(row.key().getString(1)));
            }
          }
          return page.size() < limit ? PoolKeys.REPLIES : page.getLast().key();
        });
  }

  /** The same for outcomes whose time is over. */
  public static Tuple sweepOnce(RowStore store, Tuple after, long now, int limit) {
    return store.transact(
        rows -> {
          List<Rows.Row> page = rows.peek(PoolKeys.ONCE, after, limit);
          List<Tuple> over =
              page.stream().filter(row -> isOver(row.value(), now)).map(Rows.Row::key).toList();
          rows.getAll(over)
              .forEach(
                  (key, value) -> {
                    if (isOver(value, now)) {
                      rows.clear(key);
                    }
                  });
          return page.size() < limit ? PoolKeys.ONCE : page.getLast().key();
        });
  }

  private static boolean isOver(byte[] value, long now) {
    Once once = Once.decode(value);
    return once.done() && once.until() < now;
  }
}
