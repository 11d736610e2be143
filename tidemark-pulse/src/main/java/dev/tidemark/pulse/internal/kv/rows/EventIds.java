package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.kv.Versionstamp;
import dev.tidemark.pulse.EventId;
import java.nio.ByteBuffer;

/**
 * Ids of events on Tidemark's store: the version of the commit, and behind it the number of the
 * commit in its version (upper 16 bits) and of the event in its transaction (lower 16 bits).
 */
public final class EventIds {
  static final int BYTES = 16;
  private static final long MINOR_MAX = 0xffff_ffffL;

  private EventIds() {}

  public static EventId of(Versionstamp stamp, int number) {
    return new EventId(stamp.version(), ((long) stamp.batch() << 16) | number);
  }

  public static EventId of(Versionstamp stamp) {
    return of(stamp, stamp.userVersion());
  }

  /** The last id that {@code version} can have. */
  public static EventId lastOf(long version) {
    return new EventId(version, MINOR_MAX);
  }

  /** The stamp of {@code id}; of the last id of its version if it is one of another store. */
  public static Versionstamp stamp(EventId id) {
    long minor = Math.min(id.minor(), MINOR_MAX);
    return Versionstamp.of(id.major(), (int) (minor >>> 16), (int) (minor & 0xffff));
  }

  /** Bytes in the order of the ids. */
  public static byte[] pack(EventId id) {
    return ByteBuffer.allocate(BYTES).putLong(id.major()).putLong(id.minor()).array();
  }

  public static EventId unpack(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new EventId(buffer.getLong(), buffer.getLong());
  }
}
