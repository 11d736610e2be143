package dev.tidemark.pulse.internal.spi;

import dev.tidemark.pulse.ReaderOptions;
import dev.tidemark.pulse.SinkOptions;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which events a reader or a sink wants, by their topics. */
public final class TopicFilter {
  private final @Nullable String topic;
  private final @Nullable Pattern pattern;

  private TopicFilter(Optional<String> topic, Optional<String> pattern) {
    this.topic = topic.orElse(null);
    this.pattern = pattern.map(Pattern::compile).orElse(null);
  }

  /** The filter of a reader. */
  public static TopicFilter of(ReaderOptions options) {
    return new TopicFilter(options.topic(), options.topicPattern());
  }

  /** The filter of a sink. */
  public static TopicFilter of(SinkOptions options) {
    return new TopicFilter(options.topic(), options.topicPattern());
  }

  /** Whether an event with this topic is wanted. */
  public boolean accepts(String candidate) {
    return topic != null
        ? topic.equals(candidate)
        : pattern == null || pattern.matcher(candidate).find();
  }
}
