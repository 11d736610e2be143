package dev.tidemark.pulse.internal.pool.rows;

import java.nio.charset.StandardCharsets;

/**
 * Spreads keys over buckets so that only the keys of a bucket that comes or goes at the end move.
 *
 * <p>The hash is CRC-64/XZ of the key in UTF-8; the bucket is Lamping and Veach's jump consistent
 * hash. Both are part of the format: nodes of different versions must agree.
 */
final class JumpHash {
  /** The reflected polynomial of CRC-64/XZ. */
  private static final long POLYNOMIAL = 0xC96C5795D7870F42L;

  private static final long[] TABLE = table();

  private JumpHash() {}

  private static long[] table() {
    long[] table = new long[256];
    for (int i = 0; i < table.length; i++) {
      long remainder = i;
      for (int bit = 0; bit < 8; bit++) {
        remainder = (remainder & 1) == 0 ? remainder >>> 1 : (remainder >>> 1) ^ POLYNOMIAL;
      }
      table[i] = remainder;
    }
    return table;
  }

  /** The hash of {@code key}. */
  static long hash(String key) {
    long crc = -1;
    for (byte each : key.getBytes(StandardCharsets.UTF_8)) {
      crc = TABLE[(int) (crc ^ each) & 0xff] ^ (crc >>> 8);
    }
    return ~crc;
  }

  /** The bucket of {@code hash} among {@code buckets}, beginning with 0. */
  static int bucket(long hash, int buckets) {
    long state = hash;
    long bucket = -1;
    long next = 0;
    while (next < buckets) {
      bucket = next;
      state = state * 2862933555777941757L + 1;
      next = (long) ((bucket + 1) * (0x1p31 / ((state >>> 33) + 1)));
    }
    return (int) bucket;
  }

  /** Another hash that follows from {@code hash}; Stafford's mix 13. */
  static long rehash(long hash) {
    long mixed = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31) ^ 0x9E3779B97F4A7C15L;
  }
}
