package dev.tidemark.records.changes;

import dev.tidemark.kv.Versionstamp;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A position in the order of all changes of a database: right behind one change, or behind all
 * changes of a version. Positions are in commit order, and those of one stream can be compared
 * across its partitions.
 *
 * @param commit the versionstamp of the commit, with user version 0
 * @param sequence the number of the change within its commit
 */
public record ChangePosition(Versionstamp commit, int sequence)
    implements Comparable<ChangePosition> {
  /** Before every change. */
  public static final ChangePosition START = new ChangePosition(Versionstamp.of(0, 0, 0), 0);

  /** The number of bytes of a position. */
  public static final int BYTES = Versionstamp.COMMIT_BYTES + Integer.BYTES;

  private static final int LAST_BATCH = 0xffff;

  /** Checks the values. */
  public ChangePosition {
    if (sequence < 0 || commit.userVersion() != 0) {
      throw new IllegalArgumentException(
          "A position has the sequence %d and the user version %d; the first is not negative, the second 0"
              .formatted(sequence, commit.userVersion()));
    }
  }

  /** Behind all changes of {@code version}, and of all versions before it. */
  public static ChangePosition behind(long version) {
    return new ChangePosition(Versionstamp.of(version, LAST_BATCH, 0), Integer.MAX_VALUE);
  }

  /** Whether this is behind a whole version, and not behind one change of it. */
  public boolean isWholeVersion() {
    return sequence == Integer.MAX_VALUE && commit.batch() == LAST_BATCH;
  }

  /** The version of the commit. */
  public long version() {
    return commit.version();
  }

  /** The position as {@value #BYTES} bytes, whose unsigned order is that of the positions. */
  public byte[] toByteArray() {
    return ByteBuffer.allocate(BYTES)
        .putLong(commit.version())
        .putShort((short) commit.batch())
        .putInt(sequence)
        .array();
  }

  /** The position with these bytes. */
  public static ChangePosition fromBytes(byte[] bytes) {
    if (bytes.length != BYTES || bytes[Versionstamp.COMMIT_BYTES] < 0) {
      throw new IllegalArgumentException(
          "These %d bytes are no position; one has %d bytes, as ChangePosition.toByteArray makes them"
              .formatted(bytes.length, BYTES));
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long version = in.getLong();
    int batch = in.getShort() & 0xffff;
    return new ChangePosition(Versionstamp.of(version, batch, 0), in.getInt());
  }

  /** The position that {@link #toString} formatted as {@code text}. */
  public static ChangePosition parse(String text) {
    try {
      return fromBytes(HexFormat.of().parseHex(text));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "'%s' is no position; one has %d hexadecimal digits".formatted(text, 2 * BYTES), wrong);
    }
  }

  @Override
  public int compareTo(ChangePosition other) {
    int order = commit.compareTo(other.commit);
    return order != 0 ? order : Integer.compare(sequence, other.sequence);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(toByteArray());
  }
}
