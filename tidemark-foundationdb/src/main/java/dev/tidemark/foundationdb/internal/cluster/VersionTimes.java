package dev.tidemark.foundationdb.internal.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.spi.MicrosecondVersions;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * A cluster's versions advance by about a million a second, but they are no clock: they jump when
 * the cluster recovers. So databases keep samples in the cluster, each a version with the time at
 * which it was committed, under the version and under the time. Between two samples, times are
 * interpolated. After the newest one the present takes the place of a second: the version that the
 * question reads, at the time of the clock, as a sample written now would have it. So a jump of
 * versions since the last sample does not lead into the future. Only before all samples, and for
 * versions still to come, does one count for a microsecond. docs/formats/version-times.md describes
 * the keys.
 *
 * Samples increase strictly in both coordinates. A transaction that adds one has read the newest, so
 * that of two processes that find a sample due one meets a conflict, and then finds it taken.
 */

/** The times of a cluster's versions. */
final class VersionTimes {
  private static final Key PREFIX =
      Key.of((byte) 0xfd).append("tidemark/version-times/1/".getBytes(US_ASCII));

  /** Samples by version: version and batch number, ten bytes; their value is the time. */
  static final Key BY_VERSION = PREFIX.append((byte) 'v');

  /** Samples by time: microseconds since the epoch, eight bytes; their value is the version. */
  static final Key BY_TIME = PREFIX.append((byte) 't');

  static final Duration KEPT = Duration.ofDays(14);

  /** More than are added, so that samples that were not swept for a while disappear again. */
  private static final int SWEPT_AT_ONCE = 32;

  private final TimeSource time;

  /** What counts where there are no samples; the same for all questions, so that answers agree. */
  private final AtomicReference<@Nullable Sample> anchor = new AtomicReference<>();

  VersionTimes(TimeSource time) {
    this.time = time;
  }

  private record Sample(long version, long micros) {}

  /** Between {@code nearest} and the sample after it; or, without one, on either side of it. */
  private record Around(Sample nearest, @Nullable Sample above) {
    long microsOf(long version) {
      if (above == null) {
        return moved(nearest.micros, nearest.version, version);
      }
      BigInteger elapsed =
          big(version - nearest.version)
              .multiply(big(above.micros - nearest.micros))
              .divide(big(above.version - nearest.version));
      return nearest.micros + elapsed.longValueExact();
    }

    long versionAt(long micros) {
      if (above == null) {
        return moved(nearest.version, nearest.micros, micros);
      }
      // The last one before the first version of the next microsecond.
      BigInteger advance =
          big(micros - nearest.micros + 1)
              .multiply(big(above.version - nearest.version))
              .subtract(BigInteger.ONE)
              .divide(big(above.micros - nearest.micros));
      return nearest.version + advance.longValueExact();
    }

    /** {@code value} moved by as much as {@code to} is after {@code from}; it stops at the ends. */
    private static long moved(long value, long from, long to) {
      BigInteger sum = big(value).add(big(to)).subtract(big(from));
      return sum.max(big(Long.MIN_VALUE)).min(big(Long.MAX_VALUE)).longValueExact();
    }

    private static BigInteger big(long value) {
      return BigInteger.valueOf(value);
    }
  }

  // ---- answers

  /** The time of {@code version}. */
  Instant timeOf(ReadTransaction tx, long version) {
    Key next = numbered(BY_VERSION, following(version));
    Sample below = last(tx, KeyRange.of(BY_VERSION, next), VersionTimes::byVersion);
    Sample above = first(tx, KeyRange.of(next, BY_VERSION.afterPrefix()), VersionTimes::byVersion);
    Around around = around(tx, below, above, sample -> sample.version <= version);
    return MicrosecondVersions.timeOf(around.microsOf(version));
  }

  /** The largest version whose time is not after {@code instant}. */
  long versionAt(ReadTransaction tx, Instant instant) {
    long micros = MicrosecondVersions.versionAt(instant);
    Key next = numbered(BY_TIME, following(micros));
    Sample below = last(tx, KeyRange.of(BY_TIME, next), VersionTimes::byTime);
    Sample above = first(tx, KeyRange.of(next, BY_TIME.afterPrefix()), VersionTimes::byTime);
    return around(tx, below, above, sample -> sample.micros <= micros).versionAt(micros);
  }

  /** What is known around a question, of which {@code isBelow} says what lies at or before it. */
  private Around around(
      ReadTransaction tx,
      @Nullable Sample below,
      @Nullable Sample above,
      Predicate<Sample> isBelow) {
    if (above != null) {
      return below == null ? new Around(above, null) : new Around(below, above);
    }
    Sample newest = below == null ? anchor(tx) : below;
    Sample present = present(newest, tx.readVersion(), time.wallMicros());
    if (!isBelow.test(newest) || present.version <= newest.version) {
      return new Around(newest, null);
    }
    return isBelow.test(present) ? new Around(present, null) : new Around(newest, present);
  }

  /** What this process saw when it was first asked and there was no sample. */
  private Sample anchor(ReadTransaction tx) {
    Sample now = new Sample(tx.readVersion(), time.wallMicros());
    Sample first = anchor.compareAndExchange(null, now);
    return first == null ? now : first;
  }

  /** {@code version} with the time {@code now}, which stays after that of the newest sample. */
  private static Sample present(Sample newest, long version, long now) {
    return new Sample(version, Math.max(now, newest.micros + 1));
  }

  // ---- samples

  /** Adds a sample, unless the newest one is younger than {@code interval}; drops old ones. */
  void sample(Transaction tx, Duration interval) {
    Sample newest = last(tx, KeyRange.startingWith(BY_VERSION), VersionTimes::byVersion);
    long now = time.wallMicros();
    if (newest == null) {
      add(tx, now);
    } else if (tx.readVersion() < newest.version) {
      // Samples of the cluster whose backup this one was restored from.
      tx.clear(KeyRange.startingWith(PREFIX));
      add(tx, now);
    } else if (isDue(newest, tx.readVersion(), now, interval)) {
      sweep(tx, now);
      add(tx, present(newest, tx.readVersion(), now).micros);
    }
  }

  /**
   * Goes by the versions too, since a sample of a process whose clock was ahead would otherwise
   * keep all others from sampling until their clocks have come so far.
   */
  private static boolean isDue(Sample newest, long version, long now, Duration interval) {
    long micros = interval.toNanos() / 1_000;
    return now - newest.micros >= micros || version - newest.version >= 2 * micros;
  }

  private static void add(Transaction tx, long micros) {
    byte[] stamp = new byte[Versionstamp.COMMIT_BYTES];
    tx.mutate(
        MutationType.SET_VERSIONSTAMPED_KEY,
        Key.wrap(withOffset(BY_VERSION.append(stamp).unsafeBytes(), BY_VERSION.size())),
        bytes(micros));
    tx.mutate(
        MutationType.SET_VERSIONSTAMPED_VALUE, numbered(BY_TIME, micros), withOffset(stamp, 0));
  }

  private static void sweep(Transaction tx, long now) {
    Key end = numbered(BY_TIME, Math.max(0, now - KEPT.toNanos() / 1_000));
    for (KeyValue row : tx.snapshot().scan(KeyRange.of(BY_TIME, end)).limit(SWEPT_AT_ONCE).list()) {
      tx.clear(row.key());
      tx.clear(BY_VERSION.append(row.value()));
    }
  }

  // ---- rows

  private static @Nullable Sample last(
      ReadTransaction tx, KeyRange range, Function<KeyValue, Sample> decode) {
    return tx.scan(range).reverse().first().map(decode).orElse(null);
  }

  private static @Nullable Sample first(
      ReadTransaction tx, KeyRange range, Function<KeyValue, Sample> decode) {
    return tx.scan(range).first().map(decode).orElse(null);
  }

  private static Sample byVersion(KeyValue row) {
    return new Sample(number(row.key(), BY_VERSION), ByteBuffer.wrap(row.value()).getLong());
  }

  private static Sample byTime(KeyValue row) {
    return new Sample(ByteBuffer.wrap(row.value()).getLong(), number(row.key(), BY_TIME));
  }

  private static long number(Key key, Key prefix) {
    return ByteBuffer.wrap(key.unsafeBytes()).getLong(prefix.size());
  }

  private static Key numbered(Key prefix, long number) {
    return prefix.append(bytes(number));
  }

  /** The number after {@code number} among those that keys have, which are not negative. */
  private static long following(long number) {
    return number < 0 ? 0 : number + (number == Long.MAX_VALUE ? 0 : 1);
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static byte[] withOffset(byte[] template, int offset) {
    return ByteBuffer.allocate(template.length + Integer.BYTES)
        .put(template)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(offset)
        .array();
  }
}
