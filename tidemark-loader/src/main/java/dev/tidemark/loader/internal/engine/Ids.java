package dev.tidemark.loader.internal.engine;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids of deliveries and jobs: the random half of a UUID that is the loader's, and a number. They
 * are unique as random ones are, and cost no random number each.
 */
final class Ids {
  private static final long VARIANT = Long.MIN_VALUE;
  private static final long NUMBER_MASK = 0x3fff_ffff_ffff_ffffL;

  private final long loader;
  private final AtomicLong number = new AtomicLong();

  Ids() {
    UUID random = UUID.randomUUID();
    loader = random.getMostSignificantBits();
  }

  UUID next() {
    return new UUID(loader, VARIANT | (number.incrementAndGet() & NUMBER_MASK));
  }
}
