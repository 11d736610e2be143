package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The remaining budget of a cursor, shared by all nodes of a plan. Used by one thread. */
public final class Meter {
  /** A read of the clock costs as much as a row. */
  private static final int ROWS_PER_LOOK_AT_CLOCK = 16;

  private final TimeSource time;
  private final boolean timed;
  private final long endNanos;
  private final boolean limitsBytes;
  private final boolean unlimited;
  private long rows;
  private long bytes;
  private int untilClock;
  private @Nullable StopReason stopped;

  public Meter(QueryLimits limits, TimeSource time) {
    this.time = time;
    this.rows = limits.scannedRows().orElse(Long.MAX_VALUE);
    this.bytes = limits.scannedBytes().orElse(Long.MAX_VALUE);
    this.timed = limits.time().isPresent();
    this.endNanos =
        timed ? time.nanos() + TimeUnit.NANOSECONDS.convert(limits.time().orElseThrow()) : 0;
    this.limitsBytes = limits.scannedBytes().isPresent();
    this.unlimited = !timed && !limitsBytes && rows == Long.MAX_VALUE;
  }

  /** Whether there is a limit of bytes. */
  public boolean limitsBytes() {
    return limitsBytes;
  }

  /**
   * Whether a node may read one more row.
   *
   * @param first whether it is the first row of the node, which is always allowed: otherwise a node
   *     that waits for another one would never progress
   */
  boolean allows(boolean first) {
    if (unlimited || first) {
      return true;
    }
    if (stopped == null) {
      stopped = reason();
    }
    return stopped == null;
  }

  private @Nullable StopReason reason() {
    if (rows <= 0) {
      return StopReason.SCAN_LIMIT;
    }
    if (bytes <= 0) {
      return StopReason.BYTE_LIMIT;
    }
    if (timed && untilClock-- <= 0) {
      untilClock = ROWS_PER_LOOK_AT_CLOCK;
      return time.nanos() - endNanos >= 0 ? StopReason.TIME_LIMIT : null;
    }
    return null;
  }

  /** Charges a row that was read. */
  void spend(int keyAndValueBytes) {
    rows--;
    bytes -= keyAndValueBytes;
  }

  /** Charges a value that was loaded for a row charged before. */
  public void load(int valueBytes) {
    bytes -= valueBytes;
  }

  /** The limit that was reached; null if none was. */
  public @Nullable StopReason stopped() {
    return stopped;
  }
}
