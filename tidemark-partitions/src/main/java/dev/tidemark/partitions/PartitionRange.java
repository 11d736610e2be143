package dev.tidemark.partitions;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.UsageException;
import java.util.Optional;

/**
 * The keys that a partition holds: from {@code start}, included, to {@code end}, excluded.
 *
 * @param start the first key of the range; {@link Key#EMPTY} for the begin of the key space
 * @param end the first key after the range; empty where the range has no upper bound
 */
public record PartitionRange(Key start, Optional<Key> end) {
  /** Every key. */
  public static final PartitionRange ALL = new PartitionRange(Key.EMPTY, Optional.empty());

  /** Refuses ranges without keys. */
  public PartitionRange {
    if (end.isPresent() && end.get().compareTo(start) <= 0) {
      throw UsageException.invalidOption(
          "The range from %s to %s holds no key; its end must be greater than its start"
              .formatted(start, end.get()));
    }
  }

  /** The keys from {@code start} to {@code end}, the first included and the second not. */
  public static PartitionRange of(Key start, Key end) {
    return new PartitionRange(start, Optional.of(end));
  }

  /** All keys from {@code start} on. */
  public static PartitionRange from(Key start) {
    return new PartitionRange(start, Optional.empty());
  }

  /** Whether {@code key} is of this range. */
  public boolean contains(Key key) {
    return key.compareTo(start) >= 0 && !endsBefore(key);
  }

  /** Whether all keys of {@code other} are of this range. */
  public boolean contains(PartitionRange other) {
    return other.start.compareTo(start) >= 0
        && (end.isEmpty() || (other.end.isPresent() && other.end.get().compareTo(end.get()) <= 0));
  }

  /** Whether some key is of both ranges. */
  public boolean intersects(PartitionRange other) {
    return !endsBefore(other.start) && !other.endsBefore(start);
  }

  /** Whether {@code other} begins exactly where this range ends. */
  public boolean isFollowedBy(PartitionRange other) {
    return end.isPresent() && end.get().equals(other.start);
  }

  /** Whether the range can be cut at {@code key} into two ranges that both have keys. */
  public boolean canSplitAt(Key key) {
    return key.compareTo(start) > 0 && !endsBefore(key);
  }

  /** The part before {@code key}. */
  public PartitionRange below(Key key) {
    return of(start, key);
  }

  /** The part from {@code key} on. */
  public PartitionRange above(Key key) {
    return new PartitionRange(key, end);
  }

  private boolean endsBefore(Key key) {
    return end.isPresent() && key.compareTo(end.get()) >= 0;
  }

  @Override
  public String toString() {
    return "[" + start + ", " + end.map(Key::toString).orElse("…") + ")";
  }
}
