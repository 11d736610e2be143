package dev.tidemark.loader.internal.engine;

import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.util.UUID;

/** Pauses between attempts, spread by the bits of an id so that loaders do not retry in step. */
final class Pauses {
  private static final long MIX = 0x9e37_79b9_7f4a_7c15L;
  private static final int SHARES = 1_024;

  private Pauses() {}

  /** Between a half and the whole of what {@code policy} says. */
  static Duration after(RetryPolicy policy, int failures, UUID id) {
    Duration whole = policy.delayAfter(failures);
    long mixed = (id.getMostSignificantBits() ^ id.getLeastSignificantBits()) * MIX;
    long share = SHARES / 2 + (mixed >>> 32) % (SHARES / 2 + 1);
    return whole.multipliedBy(share).dividedBy(SHARES);
  }
}
