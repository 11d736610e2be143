package dev.tidemark.kv.spi;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/** The machine's clock. */
public enum SystemTime implements TimeSource {
  /** The only one. */
  INSTANCE;

  @Override
  public long wallMicros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public double chance() {
    return ThreadLocalRandom.current().nextDouble();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    Thread.sleep(duration);
  }
}
