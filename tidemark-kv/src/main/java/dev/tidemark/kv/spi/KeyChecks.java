package dev.tidemark.kv.spi;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.commit.StampTemplate;

/**
 * Refuses keys and values that programs may not use.
 *
 * @param limits those of the store
 */
public record KeyChecks(Limits limits) {
  /** Checks a key that is read. */
  public void readable(Key key) {
    if (key.compareTo(Key.END) >= 0 && !key.equals(Key.METADATA_VERSION)) {
      throw UsageException.keyOutsideLegalRange(key);
    }
  }

  /** Checks a key that is watched: one that is too long for a value never gets any. */
  public void watchable(Key key) {
    readable(key);
    length(key);
  }

  /** Checks a begin or end of a range, which may also be {@link Key#END}. */
  public void bound(Key key) {
    if (key.compareTo(Key.END) > 0) {
      throw UsageException.keyOutsideLegalRange(key);
    }
  }

  /** Checks a key that is written. */
  public void writable(Key key) {
    legal(key);
    length(key);
  }

  private static void legal(Key key) {
    if (key.compareTo(Key.END) >= 0) {
      throw UsageException.keyOutsideLegalRange(key);
    }
  }

  private void length(Key key) {
    if (key.size() > limits.keyBytes()) {
      throw LimitExceededException.key(key, limits.keyBytes());
    }
  }

  /**
   * Checks the key and the operand of a mutation, and the place that a versionstamp has in them.
   * Its four bytes count for the limits of keys and values, as they do on a FoundationDB cluster.
   */
  public void mutation(MutationType type, Key key, byte[] operand) {
    switch (type) {
      case SET_VERSIONSTAMPED_KEY -> {
        var unused = stamped(key, operand);
      }
      case SET_VERSIONSTAMPED_VALUE -> {
        StampTemplate.check(operand);
        value(key, operand.length);
        if (!key.equals(Key.METADATA_VERSION)) {
          writable(key);
        }
      }
      default -> {
        value(key, operand.length);
        writable(key);
      }
    }
  }

  /** Checks a key with a place for the versionstamp, and the value that it is to have. */
  StampTemplate stamped(Key key, byte[] value) {
    StampTemplate template = StampTemplate.parse(key.unsafeBytes());
    legal(template.unfilled());
    length(key);
    value(key, value.length);
    return template;
  }

  /** Checks the size of a value, or of an operand, for {@code key}. */
  public void value(Key key, int size) {
    if (size > limits.valueBytes()) {
      throw LimitExceededException.value(key, size, limits.valueBytes());
    }
  }
}
