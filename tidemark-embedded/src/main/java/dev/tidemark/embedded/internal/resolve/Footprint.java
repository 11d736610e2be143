package dev.tidemark.embedded.internal.resolve;

import dev.tidemark.embedded.internal.common.KeyHash;
import java.util.Arrays;

/**
 * The keys that one transaction read and wrote, as the resolver takes them. Written keys are
 * sorted; the arrays never change.
 */
public final class Footprint {
  public static final byte[][] NO_KEYS = {};
  static final long[] NO_HASHES = {};

  /** The version that was read, or -1 for a transaction without reads. */
  public final long readVersion;

  final byte[][] readKeys;
  final long[] readHashes;
  final byte[][] readBegins;
  final byte[][] readEnds;
  final byte[][] writeKeys;
  final long[] writeHashes;
  final byte[][] writeBegins;
  final byte[][] writeEnds;

  /** Ranges of writes that are excluded from the write conflicts. */
  final byte[][] quietBegins;

  final byte[][] quietEnds;

  /** A footprint without quiet writes. */
  Footprint(
      long readVersion,
      byte[][] readKeys,
      byte[][] readBegins,
      byte[][] readEnds,
      byte[][] writeKeys,
      byte[][] writeBegins,
      byte[][] writeEnds) {
    this(
        readVersion,
        readKeys,
        readBegins,
        readEnds,
        writeKeys,
        writeBegins,
        writeEnds,
        NO_KEYS,
        NO_KEYS);
  }

  public Footprint(
      long readVersion,
      byte[][] readKeys,
      byte[][] readBegins,
      byte[][] readEnds,
      byte[][] writeKeys,
      byte[][] writeBegins,
      byte[][] writeEnds,
      byte[][] quietBegins,
      byte[][] quietEnds) {
    this.readVersion = readVersion;
    this.readKeys = readKeys;
    this.readHashes = hashes(readKeys);
    this.readBegins = readBegins;
    this.readEnds = readEnds;
    this.writeKeys = writeKeys;
    this.writeHashes = hashes(writeKeys);
    this.writeBegins = writeBegins;
    this.writeEnds = writeEnds;
    this.quietBegins = quietBegins;
    this.quietEnds = quietEnds;
  }

  /** The footprint of one blind write. */
  public static Footprint ofWrite(byte[] key) {
    return new Footprint(-1, NO_KEYS, NO_KEYS, NO_KEYS, new byte[][] {key}, NO_KEYS, NO_KEYS);
  }

  /** The footprint of one blind write that is excluded from the write conflicts. */
  public static Footprint ofQuietWrite(byte[] key) {
    return new Footprint(
        -1,
        NO_KEYS,
        NO_KEYS,
        NO_KEYS,
        NO_KEYS,
        NO_KEYS,
        NO_KEYS,
        new byte[][] {key},
        new byte[][] {Arrays.copyOf(key, key.length + 1)});
  }

  private static long[] hashes(byte[][] keys) {
    if (keys.length == 0) {
      return NO_HASHES;
    }
    long[] hashes = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      hashes[i] = KeyHash.of(keys[i]);
    }
    return hashes;
  }
}
