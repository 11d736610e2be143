package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Jobs that a pool dispatches at the times of a cron expression: each of these is one transition.
 */
public final class Crons {
  private static final byte[] NOTHING = {};

  private Crons() {}

  /**
   * A cron schedule.
   *
   * @param cron the expression
   * @param zone where its times are meant
   * @param key the job to dispatch
   * @param payload what to dispatch it with
   * @param next when, in milliseconds
   */
  @SuppressWarnings("ArrayRecordComponent")
  public // never compared as a whole
  record CronRow(String cron, String zone, String key, byte[] payload, long next) {
    byte[] encode() {
      return HeadAndPayload.encode(Tuple.of(cron, zone, key, next), payload);
    }

    static CronRow decode(byte[] bytes) {
      Tuple head = HeadAndPayload.head(bytes);
      return new CronRow(
          head.getString(0),
          head.getString(1),
          head.getString(2),
          HeadAndPayload.payload(bytes),
          head.getLong(3));
    }

    CronRow at(long time) {
      return new CronRow(cron, zone, key, payload, time);
    }
  }

  /** The first time behind {@code now}, in milliseconds. */
  public static Optional<Long> next(String cron, ZoneId zone, long now) {
    return CronTimes.parse(cron, zone).next(Instant.ofEpochMilli(now)).map(Instant::toEpochMilli);
  }

  public static void put(Rows rows, String name, CronRow cron) {
    remove(rows, name);
    rows.set(PoolKeys.CRONS.append(name), cron.encode());
    rows.set(due(name, cron.next()), NOTHING);
    rows.wake(PoolKeys.POOL_CHANNEL, RowStore.NO_HINT);
  }

  public static boolean remove(Rows rows, String name) {
    Optional<CronRow> there = get(rows, name);
    there.ifPresent(
        cron -> {
          rows.clear(PoolKeys.CRONS.append(name));
          rows.clear(due(name, cron.next()));
        });
    return there.isPresent();
  }

  private static Optional<CronRow> get(Rows rows, String name) {
    return rows.get(PoolKeys.CRONS.append(name)).map(CronRow::decode);
  }

  private static Tuple due(String name, long time) {
    return PoolKeys.DUE.append(time).append(PoolKeys.DUE_CRON).append(name);
  }

  /**
   * What time it is for a cron schedule.
   *
   * @param due the time that has come
   * @param now the time that it is
   * @param lateMax a time that is later than this is skipped: nobody was there for it
   */
  public record Moment(long due, long now, long lateMax) {
    boolean isTooLate() {
      return now - due > lateMax;
    }
  }

  /**
   * Dispatches the job of a schedule whose time has come, unless it is there, and sets the next.
   */
  public static void fire(
      Rows rows, String name, Moment moment, PoolConfig config, RetryPolicy retry) {
    Optional<CronRow> cron = get(rows, name).filter(row -> row.next() == moment.due());
    if (cron.isEmpty()) {
      return;
    }
    CronRow row = cron.get();
    if (!moment.isTooLate()) {
      dispatch(rows, row, config, retry, moment.now());
    }
    remove(rows, name);
    next(row.cron(), ZoneId.of(row.zone()), Math.max(moment.due(), moment.now()))
        .ifPresent(time -> put(rows, name, row.at(time)));
  }

  private static void dispatch(
      Rows rows, CronRow cron, PoolConfig config, RetryPolicy retry, long now) {
    Dispatching.Request request =
        new Dispatching.Request(cron.key(), cron.payload(), null, retry, null, null, 0);
    try {
      Dispatching.dispatch(rows, request, config, now);
    } catch (PoolException skipped) {
      // The job is still there, or the pool full or closing: this time is left out.
    }
  }
}
