package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.pulse.EventId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a stream says about itself.
 *
 * @param exists whether the stream was created and not destroyed; it may have expired
 * @param deadline when it expires, in microseconds; {@link #NEVER} if it does not
 * @param lengthMax how many events it shows; 0 for all
 * @param added how many were ever added
 * @param gone how many of those are no longer stored
 * @param trimmed no event up to this one is stored
 */
public record StreamHead(
    boolean exists, long deadline, long lengthMax, long added, long gone, EventId trimmed) {
  static final long NEVER = Long.MAX_VALUE;

  /** The first byte of the row that says that a stream exists. */
  public static final byte FORMAT = 1;

  /**
   * The head as {@code tx} sees it. Read key by key: behind the last one a scan would walk through
   * the events that have been trimmed.
   */
  public static StreamHead read(ReadTransaction tx, StreamSpace space) {
    Map<Key, byte[]> rows = tx.getAll(space.headKeys());
    byte[] deadline = rows.get(space.deadline());
    byte[] trimmed = rows.get(space.trimmed());
    return new StreamHead(
        rows.containsKey(space.life()),
        deadline == null ? NEVER : number(deadline),
        number(rows.get(space.lengthMax())),
        number(rows.get(space.added())),
        number(rows.get(space.gone())),
        trimmed == null ? EventId.ZERO : EventIds.unpack(trimmed));
  }

  /** Whether there is such a stream at {@code now}. */
  public boolean lives(Clock now) {
    return exists && (deadline == NEVER || deadline > micros(now.now()));
  }

  /** How many of the oldest stored events are no longer shown. */
  public long hidden() {
    return lengthMax == 0 ? 0 : Math.max(0, added - gone - lengthMax);
  }

  /** How many events are shown. */
  public long length() {
    return added - gone - hidden();
  }

  /** Where the time comes from; asked only by those who need it. */
  @FunctionalInterface
  public interface Clock {
    Instant now();
  }

  public static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  /** The number in little-endian bytes, as the store counts; 0 for an absent row. */
  public static long number(byte @Nullable [] bytes) {
    return bytes == null ? 0 : ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  public static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }
}
