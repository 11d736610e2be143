package dev.tidemark.remote.internal.transport;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.remote.internal.wire.Range;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Keys and ranges as they cross the network. Arrays that never change are not copied. */
public final class Wire {
  /** The version of the protocol, which both sides must speak. */
  public static final int PROTOCOL = 2;

  /** Bytes of the id of a client or a store. */
  public static final int ID_BYTES = 16;

  public static final byte[] NO_BYTES = {};

  private Wire() {}

  public static ByteString bytes(Key key) {
    return UnsafeByteOperations.unsafeWrap(key.unsafeBytes());
  }

  public static ByteString bytes(byte[] array) {
    return UnsafeByteOperations.unsafeWrap(array);
  }

  public static Key key(ByteString bytes) {
    return bytes.isEmpty() ? Key.EMPTY : Key.wrap(bytes.toByteArray());
  }

  public static List<ByteString> bytes(Collection<Key> keys) {
    return keys.stream().map(Wire::bytes).toList();
  }

  public static List<Key> keys(Collection<ByteString> all) {
    return all.stream().map(Wire::key).toList();
  }

  public static byte[] bytes(CommitId id) {
    ByteBuffer bytes = ByteBuffer.allocate(CommitId.BYTES);
    id.writeTo(bytes);
    return bytes.array();
  }

  public static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(ID_BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  public static CommitId commitId(byte[] bytes) {
    if (bytes.length != CommitId.BYTES) {
      throw UsageException.invalidOperation(
          "The id of a commit has %d bytes, not %d".formatted(bytes.length, CommitId.BYTES));
    }
    return CommitId.readFrom(ByteBuffer.wrap(bytes));
  }

  public static Range range(KeyRange range) {
    return Range.newBuilder().setBegin(bytes(range.begin())).setEnd(bytes(range.end())).build();
  }

  public static KeyRange range(Range range) {
    return KeyRange.of(key(range.getBegin()), key(range.getEnd()));
  }
}
