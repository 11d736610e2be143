package dev.tidemark.changes;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values by column name, in the source's order. A column may hold null, which differs from a column
 * that was not captured.
 *
 * <p>A source may decode the values when they are first asked for. Two instances are equal if they
 * hold the same values.
 */
public final class Values {
  private static final Values NONE = of(Map.of());

  private @Nullable Supplier<? extends Map<String, ?>> undecoded;
  private volatile @Nullable Map<String, @Nullable Object> decoded;

  private Values(
      @Nullable Supplier<? extends Map<String, ?>> undecoded,
      @Nullable Map<String, @Nullable Object> decoded) {
    this.undecoded = undecoded;
    this.decoded = decoded;
  }

  /** No column at all. */
  public static Values none() {
    return NONE;
  }

  /** A copy of these values. */
  public static Values of(Map<String, ?> values) {
    return new Values(null, copy(values));
  }

  /** Values that {@code decoder} makes when they are first asked for. It may run twice. */
  public static Values decodedBy(Supplier<? extends Map<String, ?>> decoder) {
    return new Values(decoder, null);
  }

  /** The values by name; cannot be changed. A column may hold null. */
  public Map<String, @Nullable Object> asMap() {
    Map<String, @Nullable Object> known = decoded;
    if (known == null) {
      Supplier<? extends Map<String, ?>> decoder = undecoded;
      known = decoder == null ? decodedByAnother() : copy(decoder.get());
      decoded = known;
      undecoded = null;
    }
    return known;
  }

  private Map<String, @Nullable Object> decodedByAnother() {
    Map<String, @Nullable Object> known = decoded;
    if (known == null) {
      throw new IllegalStateException("Values have neither a decoder nor a result");
    }
    return known;
  }

  /** The names of the columns. */
  public Set<String> names() {
    return asMap().keySet();
  }

  /** The value of {@code name}; empty if it is null or was not captured. */
  public Optional<Object> get(String name) {
    return Optional.ofNullable(asMap().get(name));
  }

  /** Whether no column was captured. */
  public boolean isEmpty() {
    return asMap().isEmpty();
  }

  private static Map<String, @Nullable Object> copy(Map<String, ?> values) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>(values);
    return Collections.unmodifiableMap(copy);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Values that && asMap().equals(that.asMap());
  }

  @Override
  public int hashCode() {
    return asMap().hashCode();
  }

  @Override
  public String toString() {
    return asMap().toString();
  }
}
