package dev.tidemark.partitions;

import dev.tidemark.kv.Key;
import java.util.List;
import java.util.Optional;

/**
 * Items of a range, in the order of their keys.
 *
 * @param items the items
 * @param next where the next page begins; empty if this one reached the end of the range
 * @param <R> the values
 */
public record ScanPage<R>(List<Item<R>> items, Optional<Key> next) {
  /** Copies the list. */
  public ScanPage {
    items = List.copyOf(items);
  }

  /**
   * A key and what the actor has there.
   *
   * @param key the key
   * @param value the value
   * @param <R> the values
   */
  public record Item<R>(Key key, R value) {}
}
