package dev.tidemark.kv.spi;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A value as a watch remembers it: a short one as it is, a longer one as its length and SHA-256.
 */
public final class SeenValue {
  private static final int KEPT_BYTES = 64;
  private static final int ABSENT = -1;

  private final int length;
  private final byte[] kept;

  private SeenValue(int length, byte[] kept) {
    this.length = length;
    this.kept = kept;
  }

  /** {@code value}, null for none. The array must not change any more. */
  public static SeenValue of(byte @Nullable [] value) {
    if (value == null) {
      return new SeenValue(ABSENT, new byte[0]);
    }
    return new SeenValue(value.length, value.length <= KEPT_BYTES ? value : hash(value));
  }

  private static byte[] hash(byte[] value) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(value);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SeenValue seen
        && length == seen.length
        && Arrays.equals(kept, seen.kept);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(kept);
  }
}
