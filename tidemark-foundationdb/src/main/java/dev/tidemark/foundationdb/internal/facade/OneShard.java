package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * The keys in which a cluster publishes its shards ({@code ff} {@code /keyServers/}): here all keys
 * are in one, so there is one boundary, the first key.
 */
final class OneShard {
  private static final byte[] PREFIX = prefix();

  private OneShard() {}

  private static byte[] prefix() {
    byte[] prefix = "./keyServers/".getBytes(StandardCharsets.US_ASCII);
    prefix[0] = (byte) 0xff;
    return prefix;
  }

  /** Whether {@code key} is one of those that tell where a key lies. */
  static boolean holds(byte[] key) {
    return key.length >= PREFIX.length
        && Arrays.equals(PREFIX, 0, PREFIX.length, key, 0, PREFIX.length);
  }

  /** The boundaries from one such key on to another. */
  static Iterator<KeyValue> boundaries(byte[] begin, byte[] end) {
    boolean first = begin.length == PREFIX.length && end.length > PREFIX.length;
    return first
        ? List.of(new KeyValue(PREFIX.clone(), new byte[0])).iterator()
        : Collections.emptyIterator();
  }
}
