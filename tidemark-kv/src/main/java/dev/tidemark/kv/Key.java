package dev.tidemark.kv;

import dev.tidemark.kv.internal.KeyPrinter;
import dev.tidemark.kv.spi.Utf8;
import dev.tidemark.kv.tuple.Subspace;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable key: a byte string, ordered as unsigned bytes, the way the store orders it.
 *
 * <p>Keys are usually made by {@link Subspace#pack}; {@link #of} and {@link #utf8} make raw ones.
 * {@link #toString} prints a key for people: as a tuple where its bytes are one, escaped otherwise.
 */
public final class Key implements Comparable<Key> {
  /** The empty key, before every other one. */
  public static final Key EMPTY = new Key(new byte[0]);

  /** The end of the keys a program may use: the first byte of a user's key is below {@code ff}. */
  public static final Key END = new Key(new byte[] {(byte) 0xff});

  /**
   * A key whose value changes with every declared change of metadata, so that caches can be checked
   * with one read. It can be read like any key; the only write it takes is {@link
   * MutationType#SET_VERSIONSTAMPED_VALUE}.
   */
  public static final Key METADATA_VERSION =
      new Key("\u00ff/metadataVersion".getBytes(StandardCharsets.ISO_8859_1));

  private final byte[] bytes;
  private int hash;

  private Key(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The key with a copy of these bytes. */
  public static Key of(byte... bytes) {
    return bytes.length == 0 ? EMPTY : new Key(bytes.clone());
  }

  /**
   * The key with the UTF-8 bytes of {@code text}.
   *
   * @throws IllegalArgumentException if it has half a surrogate pair, which has no UTF-8 form
   */
  public static Key utf8(String text) {
    return new Key(Utf8.bytes("The text of a key", text));
  }

  /** The key written as hexadecimal digits, two a byte. */
  public static Key hex(String digits) {
    return new Key(HexFormat.of().parseHex(digits));
  }

  /**
   * The key that owns {@code bytes} without a copy. For engines: the caller gives the array away
   * and must not change it afterwards.
   */
  public static Key wrap(byte[] bytes) {
    return new Key(bytes);
  }

  /** Number of bytes. */
  public int size() {
    return bytes.length;
  }

  /** The byte at {@code index}. */
  public byte at(int index) {
    return bytes[index];
  }

  /** A copy of the bytes. */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  /** The bytes themselves. For engines: the caller must not change them. */
  public byte[] unsafeBytes() {
    return bytes;
  }

  /** Whether this key begins with the bytes of {@code prefix}. */
  public boolean startsWith(Key prefix) {
    return bytes.length >= prefix.bytes.length
        && Arrays.equals(bytes, 0, prefix.bytes.length, prefix.bytes, 0, prefix.bytes.length);
  }

  /** This key with {@code suffix} after it. */
  public Key append(byte... suffix) {
    byte[] joined = Arrays.copyOf(bytes, bytes.length + suffix.length);
    System.arraycopy(suffix, 0, joined, bytes.length, suffix.length);
    return new Key(joined);
  }

  /** The very next key: this one with a zero byte after it. */
  public Key next() {
    return new Key(Arrays.copyOf(bytes, bytes.length + 1));
  }

  /**
   * The first key after all keys that begin with this one.
   *
   * @throws IllegalArgumentException if there is none, because every byte is {@code ff}
   */
  public Key afterPrefix() {
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == (byte) 0xff) {
      length--;
    }
    if (length == 0) {
      throw new IllegalArgumentException(
          "No key comes after the prefix " + this + ": it has no byte below ff to increase");
    }
    byte[] after = Arrays.copyOf(bytes, length);
    after[length - 1]++;
    return new Key(after);
  }

  /** The bytes as hexadecimal digits, two a byte. */
  public String toHex() {
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * The bytes as hexadecimal digits and as {@link #toString} prints them, in full: {@code 152a =
   * (42)}. For tools.
   */
  public String describe() {
    return KeyPrinter.describe(bytes);
  }

  @Override
  public int compareTo(Key other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    int h = hash;
    if (h == 0) {
      h = Arrays.hashCode(bytes);
      hash = h;
    }
    return h;
  }

  @Override
  public String toString() {
    return KeyPrinter.print(bytes);
  }
}
