package dev.tidemark.pulse.internal.common;

import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** What the options of streams, readers, sinks and pools, and of stores, have in common. */
public final class OptionChecks {
  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final Duration YEAR = Duration.ofDays(365);

  private OptionChecks() {}

  /** Refuses a duration that is no time, or too long to count with. */
  public static void positive(String name, Duration value) {
    Objects.requireNonNull(value, () -> name + " is null");
    if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be longer than nothing and shorter than a century");
    }
  }

  /** Refuses what the store cannot count in milliseconds, as it does in pools. */
  public static void milliseconds(String name, Duration value) {
    Objects.requireNonNull(value, () -> name + " is null");
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(YEAR) >= 0) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be a millisecond or more, and shorter than a year");
    }
  }

  /** Refuses a number that is zero or less. */
  public static void positive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be positive");
    }
  }

  /** Refuses a filter that cannot be applied. */
  public static void filter(@Nullable String topic, @Nullable String topicPattern) {
    if (topic != null && topicPattern != null) {
      throw new IllegalArgumentException(
          "topic is '%s' and topicPattern is '%s'; give one of them"
              .formatted(topic, topicPattern));
    }
    if (topicPattern != null) {
      try {
        Pattern.compile(topicPattern);
      } catch (PatternSyntaxException mistake) {
        throw new IllegalArgumentException(
            "topicPattern '%s' is no regular expression: %s"
                .formatted(topicPattern, mistake.getDescription()),
            mistake);
      }
    }
  }
}
