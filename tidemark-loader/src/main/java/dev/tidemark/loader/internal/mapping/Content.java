package dev.tidemark.loader.internal.mapping;

import dev.tidemark.loader.Message;
import dev.tidemark.loader.internal.json.JsonReader;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one message carries; its body is parsed once, when a column asks for it. */
public final class Content {
  private final Message message;
  private @Nullable Map<String, @Nullable Object> body;
  private @Nullable Object decoded;

  /** The content of {@code message}. */
  public Content(Message message) {
    this.message = message;
  }

  /** The message. */
  public Message message() {
    return message;
  }

  /** The attribute; null if it is missing or blank. */
  public @Nullable String attribute(String name) {
    String text = message.attributes().get(name);
    return text == null || text.isBlank() ? null : text;
  }

  /** What {@code decoder} makes of the message, made once. */
  public <R> R decoded(Function<Message, R> decoder) {
    Object known = decoded;
    if (known == null) {
      known = Objects.requireNonNull(decoder.apply(message), "The decoder made no record");
      decoded = known;
    }
    // A content is decoded by one mapping, which has one decoder.
    @SuppressWarnings("unchecked")
    R record = (R) known;
    return record;
  }

  /**
   * The value at {@code path} in the JSON body; null if there is none.
   *
   * @throws IllegalArgumentException if the body is no JSON object
   */
  public @Nullable Object json(List<String> path) {
    if (body == null) {
      body = JsonReader.object(message.body());
    }
    Object value = body;
    for (String name : path) {
      value = value instanceof Map<?, ?> members ? members.get(name) : null;
    }
    return value;
  }
}
