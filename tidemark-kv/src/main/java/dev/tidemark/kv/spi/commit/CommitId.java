package dev.tidemark.kv.spi.commit;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sixteen bytes that no other commit has.
 *
 * @param process the same for all commits of a process
 * @param number another one for each of them
 */
public record CommitId(long process, long number) {
  /** Bytes of an id. */
  public static final int BYTES = 2 * Long.BYTES;

  /** Random, so that no two processes have the same ids. */
  private static final UUID PROCESS = UUID.randomUUID();

  /** Counted, so that commits of many threads need not share a source of random numbers. */
  private static final AtomicLong NUMBERS = new AtomicLong(PROCESS.getLeastSignificantBits());

  /** What became of a commit. */
  public enum Fate {
    COMMITTED,
    /** It was not committed, and will not be. */
    NOT_COMMITTED,
    /** It was too long ago to tell. */
    UNKNOWN
  }

  /** An id that has not been used before. */
  public static CommitId next() {
    return new CommitId(PROCESS.getMostSignificantBits(), NUMBERS.getAndIncrement());
  }

  /** The id that {@link #writeTo} wrote. */
  public static CommitId readFrom(ByteBuffer from) {
    return new CommitId(from.getLong(), from.getLong());
  }

  /** Appends the bytes of this id. */
  public void writeTo(ByteBuffer to) {
    to.putLong(process).putLong(number);
  }
}
