package dev.tidemark.kv.spi;

import dev.tidemark.kv.UsageException;
import java.time.Duration;
import java.util.Objects;

/** The checks of options, for all modules: a value that is not allowed is a UsageException. */
public final class OptionChecks {
  private static final Duration YEAR = Duration.ofDays(365);
  private static final Duration CENTURY = Duration.ofDays(36_500);

  private OptionChecks() {}

  /** Refuses a time that is shorter than {@code least}, or a day or longer. */
  public static void duration(String name, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.toDays() >= 1) {
      throw UsageException.invalidOption(
          "%s is %s; it must be %s or more, and shorter than a day".formatted(name, value, least));
    }
  }

  /** Refuses a time outside of {@code least} to {@code most}. */
  public static void between(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw UsageException.invalidOption(
          "%s is %s; it must be from %s to %s".formatted(name, value, least, most));
    }
  }

  /** Refuses a number outside of {@code least} to {@code most}. */
  public static void between(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw UsageException.invalidOption(
          "%s is %,d; it must be from %,d to %,d".formatted(name, value, least, most));
    }
  }

  /** Refuses a duration that is no time, or too long to count with. */
  public static void positive(String name, Duration value) {
    Objects.requireNonNull(value, () -> name + " is null");
    if (!value.isPositive() || value.compareTo(CENTURY) > 0) {
      throw UsageException.invalidOption(
          name + " is " + value + "; it must be longer than nothing and shorter than a century");
    }
  }

  /** Refuses a number that is zero or less. */
  public static void positive(String name, long value) {
    if (value <= 0) {
      throw UsageException.invalidOption("%s is %,d; it must be positive".formatted(name, value));
    }
  }

  /** Refuses what a store cannot count in milliseconds. */
  public static void milliseconds(String name, Duration value) {
    Objects.requireNonNull(value, () -> name + " is null");
    if (!isMilliseconds(value)) {
      throw UsageException.invalidOption(
          name + " is " + value + "; it must be a millisecond or more, and shorter than a year");
    }
  }

  /** Whether a store can count the time in milliseconds. */
  public static boolean isMilliseconds(Duration value) {
    return value.compareTo(Duration.ofMillis(1)) >= 0 && value.compareTo(YEAR) < 0;
  }

  /** Refuses a number that is less than {@code least}. */
  public static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw UsageException.invalidOption(
          "%s is %,d; it must be %,d or more".formatted(name, value, least));
    }
  }
}
