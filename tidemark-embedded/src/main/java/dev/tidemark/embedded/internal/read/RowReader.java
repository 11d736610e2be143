package dev.tidemark.embedded.internal.read;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import java.util.Arrays;
import org.rocksdb.RocksIterator;

/**
 * Takes rows off an iterator. Keys and values are read into buffers first and copied from there,
 * which costs less than having the native side make an array for each.
 */
final class RowReader {
  private static final int KEY_BYTES = 128;
  private static final int VALUE_BYTES = 512;

  private final RocksIterator iterator;
  private final byte[] keyBuffer = new byte[KEY_BYTES];
  private final byte[] valueBuffer = new byte[VALUE_BYTES];

  RowReader(RocksIterator iterator) {
    this.iterator = iterator;
  }

  /** The key at the iterator. */
  byte[] key() {
    int size = iterator.key(keyBuffer, 0, keyBuffer.length);
    return size <= keyBuffer.length ? Arrays.copyOf(keyBuffer, size) : iterator.key();
  }

  /** The row at the iterator, whose key has been read. */
  KeyValue row(byte[] key) {
    int size = iterator.value(valueBuffer, 0, valueBuffer.length);
    byte[] value = size <= valueBuffer.length ? Arrays.copyOf(valueBuffer, size) : iterator.value();
    return new KeyValue(Key.wrap(key), value);
  }
}
