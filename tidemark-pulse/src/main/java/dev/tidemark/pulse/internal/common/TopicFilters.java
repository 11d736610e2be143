package dev.tidemark.pulse.internal.common;

import dev.tidemark.kv.UsageException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** What readers and sinks may be told about the topics that they want. */
public final class TopicFilters {
  private TopicFilters() {}

  /** Refuses a filter that cannot be applied. */
  public static void check(@Nullable String topic, @Nullable String topicPattern) {
    if (topic != null && topicPattern != null) {
      throw UsageException.invalidOption(
          "topic is '%s' and topicPattern is '%s'; give one of them"
              .formatted(topic, topicPattern));
    }
    if (topicPattern != null) {
      try {
        Pattern.compile(topicPattern);
      } catch (PatternSyntaxException mistake) {
        throw UsageException.invalidOption(
            "topicPattern '%s' is no regular expression: %s"
                .formatted(topicPattern, mistake.getDescription()));
      }
    }
  }
}
