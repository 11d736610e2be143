package dev.tidemark.coordination;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A lease as its holder knows it, by the holder's own steady clock.
 *
 * <p>The lease counts from <em>before</em> the call that renews it, so that it ends here before
 * others may take it by the store's time, however long the call took and wherever the process
 * paused. A reading of the store's time may lag, and then the row ends earlier by as much: a holder
 * that must never overlap with its successor holds for a shorter time than the row says. A lease
 * that is lost stays lost; the holder begins anew with another one. Safe for many threads.
 */
public final class HeldLease {
  private final TimeSource time;
  private final Duration length;
  private volatile boolean begun;
  private volatile boolean lost;
  private volatile long end;

  /**
   * A lease that has not begun.
   *
   * @param time the process's clock
   * @param length how long it is held after a renewal
   */
  public HeldLease(TimeSource time, Duration length) {
    this.time = time;
    this.length = length;
  }

  /** The clock that it goes by. */
  public TimeSource time() {
    return time;
  }

  /** How long it is held after a renewal. */
  public Duration length() {
    return length;
  }

  /**
   * Acquires or renews the lease by {@code renewal}, which returns whether the store agreed. If the
   * store did not, the lease is lost. If the call throws, nothing is known and nothing changes.
   *
   * @return whether the store agreed
   */
  public boolean renew(BooleanSupplier renewal) {
    long begin = time.nanos();
    boolean agreed = renewal.getAsBoolean();
    if (agreed) {
      end = begin + length.toNanos();
      begun = true;
    } else {
      lost = true;
    }
    return agreed;
  }

  /** Gives the lease up: from now on it is lost. */
  public void lose() {
    lost = true;
  }

  /**
   * Whether the lease may have ended, so that others may have what it protects. Once true, always
   * true.
   */
  public boolean isLost() {
    if (begun && !lost && time.nanos() - end > 0) {
      lost = true;
    }
    return lost || !begun;
  }

  /** The time until it ends without a renewal; never less than a nanosecond. */
  public Duration left() {
    return Duration.ofNanos(Math.max(1, end - time.nanos() + 1));
  }
}
