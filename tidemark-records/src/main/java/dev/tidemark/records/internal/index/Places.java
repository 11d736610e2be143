package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import java.util.Optional;
import java.util.function.Consumer;

/** The places of the entries of an index of kind RANK within one group. */
public final class Places {
  private final SkipList list;
  private final ReadTransaction tx;
  private final Tuple group;
  private final Consumer<KeyValue> read;

  /**
   * Places in {@code group}.
   *
   * @param read gets each row that is read
   */
  Places(SkipList list, ReadTransaction tx, Tuple group, Consumer<KeyValue> read) {
    this.list = list;
    this.tx = tx;
    this.group = group;
    this.read = read;
  }

  /**
   * How many entries come before a key.
   *
   * @param key the bytes of the key behind its group; they need not be a whole key, nor one of an
   *     entry
   */
  public long before(byte[] key) {
    return list.countBefore(tx, group, key, read);
  }

  /** The key of the entry before which there are {@code place} others. */
  public Optional<Key> at(long place) {
    return list.keyAt(tx, group, place, read);
  }
}
