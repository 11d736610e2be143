package dev.tidemark.kv;

import java.util.Arrays;

/** A stored key with its value. */
public final class KeyValue {
  private final Key key;
  private final byte[] value;

  /** Pairs {@code key} with {@code value}; the array is not copied and must not change. */
  public KeyValue(Key key, byte[] value) {
    this.key = key;
    this.value = value;
  }

  /** The key. */
  public Key key() {
    return key;
  }

  /** The value. The array was made for this reader; it is the caller's to keep. */
  public byte[] value() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyValue that
        && key.equals(that.key)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * key.hashCode() + Arrays.hashCode(value);
  }

  /** The key and the size of the value; the value itself may be private and is not shown. */
  @Override
  public String toString() {
    return key + " = " + value.length + " bytes";
  }
}
