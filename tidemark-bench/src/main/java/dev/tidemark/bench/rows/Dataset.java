package dev.tidemark.bench.rows;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * The rows that everybody stores: keys of 24 bytes under sixteen prefixes, in no order, and values
 * of 100 bytes of which half can be compressed.
 */
public final class Dataset {
  static final int KEY_BYTES = 24;
  public static final int VALUE_BYTES = 100;

  private final byte[][] keys;
  private final byte[][] sorted;

  public Dataset(int size) {
    keys = new byte[size][];
    for (int i = 0; i < size; i++) {
      keys[i] = key(i);
    }
    sorted = keys.clone();
    Arrays.parallelSort(sorted, Arrays::compareUnsigned);
  }

  public int size() {
    return keys.length;
  }

  /** The {@code i}-th key in the order of loading. Not to be changed. */
  public byte[] at(int i) {
    return keys[i];
  }

  /** The {@code i}-th key in key order. Not to be changed. */
  public byte[] sorted(int i) {
    return sorted[i];
  }

  public byte[] random(SplittableRandom random) {
    return keys[random.nextInt(keys.length)];
  }

  /** A key with at least {@code rows} rows from it on. */
  public byte[] randomStart(SplittableRandom random, int rows) {
    return sorted[random.nextInt(sorted.length - rows)];
  }

  public static byte[] value(SplittableRandom random) {
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < VALUE_BYTES / 2; i++) {
      value[i] = (byte) random.nextInt();
    }
    return value;
  }

  private static byte[] key(int i) {
    // The finisher of MurmurHash3: different numbers stay different.
    long hash = i + 0x9e3779b97f4a7c15L;
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    hash ^= hash >>> 33;
    String text = "bench/%x/".formatted(i & 15).substring(0, 8) + HexFormat.of().toHexDigits(hash);
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
