package dev.tidemark.embedded.internal.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A 64-bit hash of a key. Two keys with the same hash cause a needless conflict, and nothing worse.
 */
public final class KeyHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  private KeyHash() {}

  /** The hash of {@code bytes}; never zero. */
  public static long of(byte[] bytes) {
    long hash = bytes.length * MULTIPLIER;
    int i = 0;
    for (; i + Long.BYTES <= bytes.length; i += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(bytes, i));
    }
    long tail = 0;
    for (; i < bytes.length; i++) {
      tail = (tail << 8) | (bytes[i] & 0xff);
    }
    hash = mix(hash ^ tail);
    return hash == 0 ? 1 : hash;
  }

  private static long mix(long value) {
    long product = value * MULTIPLIER;
    return product ^ Math.unsignedMultiplyHigh(value, MULTIPLIER) ^ (product >>> 32);
  }
}
