package dev.tidemark.kv;

import dev.tidemark.kv.tuple.Subspace;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a value that need no read: {@link Transaction#mutate}.
 *
 * <p>The numeric ones treat values as little-endian unsigned integers of the operand's length: a
 * shorter existing value is extended with zeros, a longer one is cut.
 */
public enum MutationType {
  /** Adds the operand; an absent value counts as zero. Overflow wraps around. */
  ADD {
    @Override
    byte[] combine(byte[] existing, byte[] operand) {
      byte[] sum = new byte[operand.length];
      int carry = 0;
      for (int i = 0; i < sum.length; i++) {
        int digit = (i < existing.length ? existing[i] & 0xff : 0) + (operand[i] & 0xff) + carry;
        sum[i] = (byte) digit;
        carry = digit >>> 8;
      }
      return sum;
    }
  },
  /** Bitwise and; an absent value becomes the operand. */
  BIT_AND {
    @Override
    byte[] combine(byte[] existing, byte[] operand) {
      byte[] result = new byte[operand.length];
      for (int i = 0; i < result.length && i < existing.length; i++) {
        result[i] = (byte) (existing[i] & operand[i]);
      }
      return result;
    }
  },
  /** Bitwise or; an absent value counts as zero. */
  BIT_OR {
    @Override
    byte[] combine(byte[] existing, byte[] operand) {
      byte[] result = operand.clone();
      for (int i = 0; i < result.length && i < existing.length; i++) {
        result[i] |= existing[i];
      }
      return result;
    }
  },
  /** Bitwise exclusive or; an absent value counts as zero. */
  BIT_XOR {
    @Override
    byte[] combine(byte[] existing, byte[] operand) {
      byte[] result = operand.clone();
      for (int i = 0; i < result.length && i < existing.length; i++) {
        result[i] ^= existing[i];
      }
      return result;
    }
  },
  /** Appends the operand, unless the value would become too long; then nothing changes. */
  APPEND_IF_FITS {
    @Override
    byte @Nullable [] apply(byte @Nullable [] existing, byte[] operand, int valueLimit) {
      if (existing == null) {
        return operand;
      }
      if (existing.length + operand.length > valueLimit) {
        return existing;
      }
      byte[] joined = Arrays.copyOf(existing, existing.length + operand.length);
      System.arraycopy(operand, 0, joined, existing.length, operand.length);
      return joined;
    }
  },
  /** The greater of the two numbers; an absent value becomes the operand. */
  MAX {
    @Override
    byte[] combine(byte[] existing, byte[] operand) {
      byte[] fitted = Arrays.copyOf(existing, operand.length);
      return compareLittleEndian(fitted, operand) > 0 ? fitted : operand;
    }
  },
  /** The smaller of the two numbers; an absent value becomes the operand. */
  MIN {
    @Override
    byte[] combine(byte[] existing, byte[] operand) {
      byte[] fitted = Arrays.copyOf(existing, operand.length);
      return compareLittleEndian(fitted, operand) < 0 ? fitted : operand;
    }
  },
  /** The greater of the two byte strings; an absent value becomes the operand. */
  BYTE_MAX {
    @Override
    byte[] combine(byte[] existing, byte[] operand) {
      return Arrays.compareUnsigned(existing, operand) > 0 ? existing : operand;
    }
  },
  /** The smaller of the two byte strings; an absent value becomes the operand. */
  BYTE_MIN {
    @Override
    byte[] combine(byte[] existing, byte[] operand) {
      return Arrays.compareUnsigned(existing, operand) < 0 ? existing : operand;
    }
  },
  /** Removes the key if its value equals the operand. */
  COMPARE_AND_CLEAR {
    @Override
    byte @Nullable [] apply(byte @Nullable [] existing, byte[] operand, int valueLimit) {
      return Arrays.equals(existing, operand) ? null : existing;
    }
  },
  /**
   * Sets a key that contains the commit's versionstamp. The key's last four bytes are a
   * little-endian offset, taken off before the key is stored; the ten bytes at that offset are
   * replaced by the stamp. {@link Subspace#packWithVersionstamp} makes such keys. The offset counts
   * for the longest key, so that the stored one has four bytes less.
   */
  SET_VERSIONSTAMPED_KEY,
  /**
   * Sets a value that contains the commit's versionstamp, in the same way: the last four bytes of
   * the operand are the offset, and count for the longest value.
   */
  SET_VERSIONSTAMPED_VALUE;

  /** Whether the result depends on the commit's versionstamp. */
  public boolean isVersionstamped() {
    return this == SET_VERSIONSTAMPED_KEY || this == SET_VERSIONSTAMPED_VALUE;
  }

  /**
   * The value after this mutation of {@code existing}; empty if there is none then. Not for the
   * versionstamped ones.
   */
  public Optional<byte[]> apply(Optional<byte[]> existing, byte[] operand, Limits limits) {
    return Optional.ofNullable(apply(existing.orElse(null), operand, limits.valueBytes()));
  }

  byte @Nullable [] apply(byte @Nullable [] existing, byte[] operand, int valueLimit) {
    return existing == null ? operand : combine(existing, operand);
  }

  byte[] combine(byte[] existing, byte[] operand) {
    throw UsageException.invalidMutation(this + " has no result before its transaction commits");
  }

  private static int compareLittleEndian(byte[] left, byte[] right) {
    for (int i = left.length - 1; i >= 0; i--) {
      int order = Byte.compareUnsigned(left[i], right[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
