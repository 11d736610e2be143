package dev.tidemark.embedded.internal.resolve;

import dev.tidemark.embedded.internal.common.KeyHash;

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

  /** Keys whose writes others do not conflict with. */
  final byte[][] quietKeys;

  final long[] quietHashes;

  /** The same for ranges. */
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
      byte[][] quietKeys,
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
    this.quietKeys = quietKeys;
    this.quietHashes = hashes(quietKeys);
    this.quietBegins = quietBegins;
    this.quietEnds = quietEnds;
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
