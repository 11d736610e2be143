package dev.tidemark.pulse.redis.internal.rows;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A row as the server had it.
 *
 * @param version 16 digits that no other state of this row has
 * @param value what it holds; nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
record SeenRow(String version, byte[] value) {
  private static final int WIDTH = 16;

  /** The row in the form in which the server keeps it. */
  static SeenRow of(byte[] stored) {
    return new SeenRow(
        new String(stored, 0, WIDTH, StandardCharsets.US_ASCII),
        Arrays.copyOfRange(stored, WIDTH, stored.length));
  }
}
