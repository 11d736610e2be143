package dev.tidemark.kv.spi;

import dev.tidemark.kv.UsageException;
import java.time.Duration;

/** Checks that the options of several modules share. */
public final class OptionChecks {
  private OptionChecks() {}

  /** Refuses a time that is shorter than {@code least}, or a day or longer. */
  public static void duration(String name, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.toDays() >= 1) {
      throw UsageException.invalidOption(
          "%s is %s; it must be %s or more, and shorter than a day".formatted(name, value, least));
    }
  }

  /** Refuses a number that is less than {@code least}. */
  public static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw UsageException.invalidOption(
          "%s is %,d; it must be %,d or more".formatted(name, value, least));
    }
  }
}
