package dev.tidemark.pulse;

import java.time.Duration;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** What the options of streams, readers and sinks have in common. */
final class OptionChecks {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private OptionChecks() {}

  static void positive(String name, Duration value) {
    if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be longer than nothing and shorter than a century");
    }
  }

  static void positive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be positive");
    }
  }

  static void filter(@Nullable String topic, @Nullable String topicPattern) {
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
