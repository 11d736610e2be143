package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.Key;
import java.util.List;
import java.util.Optional;

/**
 * A page of a scan, with its values as bytes.
 *
 * @param items the items, in the order of their keys
 * @param next where the next page begins; empty if this one reached the end of the range
 */
public record EncodedPage(List<Item> items, Optional<Key> next) {
  public EncodedPage {
    items = List.copyOf(items);
  }

  /**
   * A key and the bytes of its value.
   *
   * @param key the key
   * @param value the bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Item(Key key, byte[] value) {}
}
