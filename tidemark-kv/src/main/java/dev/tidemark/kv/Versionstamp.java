package dev.tidemark.kv;

import dev.tidemark.kv.internal.StampBytes;
import dev.tidemark.kv.tuple.Subspace;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The place of a write in the order of all writes: the commit's version and its number within that
 * version (ten bytes), and a two-byte user version that orders writes of one transaction.
 *
 * <p>Before the commit the first part is unknown; {@link #incomplete} stands for it in tuples that
 * are packed with {@link Subspace#packWithVersionstamp}.
 */
public final class Versionstamp implements Comparable<Versionstamp> {
  /** Bytes of a stamp with its user version. */
  public static final int BYTES = StampBytes.LENGTH;

  /** Bytes that the store puts in at commit. */
  public static final int COMMIT_BYTES = StampBytes.COMMIT_LENGTH;

  private final byte[] bytes;

  private Versionstamp(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A stamp to be filled in at commit, with user version {@code userVersion} (0 to 65,535). */
  public static Versionstamp incomplete(int userVersion) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, 0, COMMIT_BYTES, (byte) 0xff);
    return withUserVersion(bytes, userVersion);
  }

  /** The stamp of the {@code batch}-th commit of {@code version}. */
  public static Versionstamp of(long version, int batch, int userVersion) {
    byte[] bytes = new byte[BYTES];
    ByteBuffer.wrap(bytes).putLong(version).putShort((short) batch);
    return withUserVersion(bytes, userVersion);
  }

  /** The stamp with these twelve bytes. */
  public static Versionstamp fromBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "A versionstamp has " + BYTES + " bytes, not " + bytes.length);
    }
    return new Versionstamp(bytes.clone());
  }

  private static Versionstamp withUserVersion(byte[] bytes, int userVersion) {
    if (userVersion < 0 || userVersion > 0xffff) {
      throw new IllegalArgumentException(
          "User version " + userVersion + " is not in the range from 0 to 65535");
    }
    bytes[COMMIT_BYTES] = (byte) (userVersion >>> 8);
    bytes[COMMIT_BYTES + 1] = (byte) userVersion;
    return new Versionstamp(bytes);
  }

  /** Whether the commit's part is known. */
  public boolean isComplete() {
    return StampBytes.isComplete(bytes, 0);
  }

  /** The version of the commit. */
  public long version() {
    return ByteBuffer.wrap(bytes).getLong();
  }

  /** The number of the commit within its version. */
  public int batch() {
    return ByteBuffer.wrap(bytes).getShort(8) & 0xffff;
  }

  /** The user version. */
  public int userVersion() {
    return StampBytes.userVersion(bytes, 0);
  }

  /** A copy of the twelve bytes. */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  @Override
  public int compareTo(Versionstamp other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Versionstamp that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return StampBytes.print(bytes, 0);
  }
}
