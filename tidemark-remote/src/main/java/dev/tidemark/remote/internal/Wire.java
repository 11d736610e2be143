package dev.tidemark.remote.internal;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.CommitId;
import dev.tidemark.remote.internal.wire.Range;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Keys and ranges as they cross the network. Arrays that never change are not copied. */
final class Wire {
  /** The version of the protocol, which both sides must speak. */
  static final int PROTOCOL = 2;

  /** Bytes of the id of a client or a store. */
  static final int ID_BYTES = 16;

  static final byte[] NO_BYTES = {};

  private Wire() {}

  static ByteString bytes(Key key) {
    return UnsafeByteOperations.unsafeWrap(key.unsafeBytes());
  }

  static ByteString bytes(byte[] array) {
    return UnsafeByteOperations.unsafeWrap(array);
  }

  static Key key(ByteString bytes) {
    return bytes.isEmpty() ? Key.EMPTY : Key.wrap(bytes.toByteArray());
  }

  static List<ByteString> bytes(Collection<Key> keys) {
    return keys.stream().map(Wire::bytes).toList();
  }

  static List<Key> keys(Collection<ByteString> all) {
    return all.stream().map(Wire::key).toList();
  }

  static byte[] bytes(CommitId id) {
    ByteBuffer bytes = ByteBuffer.allocate(CommitId.BYTES);
    id.writeTo(bytes);
    return bytes.array();
  }

  static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(ID_BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  static CommitId commitId(byte[] bytes) {
    if (bytes.length != CommitId.BYTES) {
      throw UsageException.invalidOperation(
          "The id of a commit has %d bytes, not %d".formatted(bytes.length, CommitId.BYTES));
    }
    return CommitId.readFrom(ByteBuffer.wrap(bytes));
  }

  static Range range(KeyRange range) {
    return Range.newBuilder().setBegin(bytes(range.begin())).setEnd(bytes(range.end())).build();
  }

  static KeyRange range(Range range) {
    return KeyRange.of(key(range.getBegin()), key(range.getEnd()));
  }
}
