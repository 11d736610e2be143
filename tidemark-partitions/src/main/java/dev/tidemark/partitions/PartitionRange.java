package dev.tidemark.partitions;

import dev.tidemark.kv.Key;
import java.util.Objects;
import java.util.Optional;

/**
 * A half-open range of keys: from {@code start} up to, and without, {@code end}.
 *
 * @param start the first key; the empty key where the range begins with the first of all
 * @param end the first key behind the range; empty where it has no end
 */
public record PartitionRange(Key start, Optional<Key> end) {
  /** All keys. */
  public static final PartitionRange ALL = new PartitionRange(Key.EMPTY, Optional.empty());

  /** Checks that the range holds a key. */
  public PartitionRange {
    Objects.requireNonNull(start, "start is null");
    Objects.requireNonNull(end, "end is null");
    if (end.isPresent() && start.compareTo(end.get()) >= 0) {
      throw new IllegalArgumentException(
          "The range from %s to %s is empty; its end must be greater than its start"
              .formatted(start, end.get()));
    }
  }

  /** The keys from {@code start} up to, and without, {@code end}. */
  public static PartitionRange of(Key start, Key end) {
    return new PartitionRange(start, Optional.of(end));
  }

  /** The keys from {@code start} on. */
  public static PartitionRange from(Key start) {
    return new PartitionRange(start, Optional.empty());
  }

  /** Whether {@code key} is in the range. */
  public boolean contains(Key key) {
    return start.compareTo(key) <= 0 && isBeforeEnd(key);
  }

  /** Whether every key of {@code other} is in this range. */
  public boolean contains(PartitionRange other) {
    if (start.compareTo(other.start) > 0) {
      return false;
    }
    return end.isEmpty() || (other.end.isPresent() && other.end.get().compareTo(end.get()) <= 0);
  }

  /** Whether some key is in both ranges. */
  public boolean overlaps(PartitionRange other) {
    return isBeforeEnd(other.start) && other.isBeforeEnd(start);
  }

  /** The keys that are in both ranges, or nothing where there are none. */
  public Optional<PartitionRange> intersection(PartitionRange other) {
    if (!overlaps(other)) {
      return Optional.empty();
    }
    Key later = start.compareTo(other.start) >= 0 ? start : other.start;
    Optional<Key> sooner = end.isEmpty() || (other.end.isPresent() && !isBeyond(other)) ? other.end : end;
    return Optional.of(new PartitionRange(later, sooner));
  }

  private boolean isBeyond(PartitionRange other) {
    return other.end.isPresent() && end.isPresent() && end.get().compareTo(other.end.get()) < 0;
  }

  /** Whether the range can be split at {@code key}: both halves hold a key then. */
  public boolean canSplitAt(Key key) {
    return start.compareTo(key) < 0 && isBeforeEnd(key);
  }

  /** Whether {@code upper} begins where this range ends. */
  public boolean isRightBefore(PartitionRange upper) {
    return end.isPresent() && end.get().equals(upper.start);
  }

  /** The keys of this range below {@code key}, at which it can be split. */
  public PartitionRange lower(Key key) {
    checkSplit(key);
    return of(start, key);
  }

  /** The keys of this range from {@code key} on, at which it can be split. */
  public PartitionRange upper(Key key) {
    checkSplit(key);
    return new PartitionRange(key, end);
  }

  /** This range and {@code upper}, which begins where this one ends. */
  public PartitionRange joined(PartitionRange upper) {
    if (!isRightBefore(upper)) {
      throw new IllegalArgumentException(
          "The range %s does not begin where %s ends; only neighbours can be joined"
              .formatted(upper, this));
    }
    return new PartitionRange(start, upper.end);
  }

  private boolean isBeforeEnd(Key key) {
    return end.isEmpty() || key.compareTo(end.get()) < 0;
  }

  private void checkSplit(Key key) {
    if (!canSplitAt(key)) {
      throw new IllegalArgumentException(
          "%s cannot be split at %s; the key must be greater than the start and below the end"
              .formatted(this, key));
    }
  }

  @Override
  public String toString() {
    return "[%s, %s)".formatted(start, end.map(Key::toString).orElse("end"));
  }
}
