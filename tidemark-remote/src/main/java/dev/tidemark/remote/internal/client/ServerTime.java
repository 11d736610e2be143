package dev.tidemark.remote.internal.client;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a client of a served store: the wall clock is the store's, which each greeting
 * carries, advanced by the client's own steady clock. So records expire and leases end by one
 * clock, however wrong those of the clients are. It lags behind the store's by the time that a
 * greeting took, and by what two steady clocks drift apart until the next one.
 */
final class ServerTime implements TimeSource {
  /** The store is asked again after so long, so that drift stays small. */
  private static final long TRUSTED_NANOS = Duration.ofMinutes(1).toNanos();

  /** A greeting that took longer is too inaccurate, if there is a better one. */
  private static final long LAG_MAX_NANOS = Duration.ofMillis(500).toNanos();

  private final TimeSource own;
  private final AtomicReference<@Nullable Reading> reading = new AtomicReference<>();

  /** The reading of the store's clock, and that of the own steady clock at the same moment. */
  private record Reading(long micros, long nanos) {}

  ServerTime(TimeSource own) {
    this.own = own;
  }

  /** Notes that the store's clock showed {@code micros} after {@code beganNanos}. */
  void learn(long micros, long beganNanos) {
    long now = own.nanos();
    if (reading.get() == null || now - beganNanos <= LAG_MAX_NANOS) {
      reading.set(new Reading(micros, now));
    }
  }

  /** Whether the store should be asked again. */
  boolean isStale() {
    Reading known = reading.get();
    return known != null && own.nanos() - known.nanos() > TRUSTED_NANOS;
  }

  @Override
  public long wallMicros() {
    Reading known = reading.get();
    return known == null
        ? own.wallMicros()
        : known.micros() + (own.nanos() - known.nanos()) / 1_000;
  }

  @Override
  public long nanos() {
    return own.nanos();
  }

  @Override
  public double chance() {
    return own.chance();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    own.sleep(duration);
  }
}
