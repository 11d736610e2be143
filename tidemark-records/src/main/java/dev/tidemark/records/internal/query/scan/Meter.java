package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import org.jspecify.annotations.Nullable;

/** What a cursor may still look at. All nodes of a plan share one. Used by one thread. */
public final class Meter {
  /** Asking for the time costs as much as a row does. */
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
    this.endNanos = timed ? time.nanos() + limits.time().orElseThrow().toNanos() : 0;
    this.limitsBytes = limits.scannedBytes().isPresent();
    this.unlimited = !timed && !limitsBytes && rows == Long.MAX_VALUE;
  }

  /** Whether it matters how large rows are. */
  public boolean limitsBytes() {
    return limitsBytes;
  }

  /**
   * Whether a node may look at one more row.
   *
   * @param first whether it is the first that the node looks at, which is always allowed: else a
   *     node that has to wait for another one would never get on
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

  /** Notes a row that was looked at. */
  void spend(int keyAndValueBytes) {
    rows--;
    bytes -= keyAndValueBytes;
  }

  /** Notes what was loaded for rows that were noted before. */
  public void load(int valueBytes) {
    bytes -= valueBytes;
  }

  /** The limit that was reached; null as long as none was. */
  public @Nullable StopReason stopped() {
    return stopped;
  }
}
