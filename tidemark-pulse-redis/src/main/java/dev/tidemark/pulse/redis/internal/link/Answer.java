package dev.tidemark.pulse.redis.internal.link;

import java.util.List;
import java.util.Optional;

/** What a script answered: texts, numbers and lists by their place. */
public record Answer(List<Object> parts) {
  public int size() {
    return parts.size();
  }

  public long number(int place) {
    return parts.get(place) instanceof Long number ? number : Long.parseLong(text(place));
  }

  public byte[] bytes(int place) {
    return find(place)
        .orElseThrow(() -> new IllegalStateException("Nothing at place " + place + " of " + this));
  }

  /** The bytes at {@code place}, if there are some. */
  public Optional<byte[]> find(int place) {
    return Optional.ofNullable((byte[]) parts.get(place));
  }

  public String text(int place) {
    return RedisNames.text(bytes(place));
  }

  /** The list at {@code place}. */
  @SuppressWarnings("unchecked")
  public // a nested answer is a list of objects
  Answer list(int place) {
    return new Answer((List<Object>) parts.get(place));
  }
}
