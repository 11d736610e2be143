package dev.tidemark.remote.internal;

import dev.tidemark.kv.internal.Commit;
import dev.tidemark.remote.internal.wire.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Replies as they cross the network: each a field of its frame. Those that come in great numbers
 * are written here byte by byte, the others by protobuf, in the same format.
 */
final class Replies {
  private Replies() {}

  static byte[] of(Reply reply) {
    byte[] bytes = reply.toByteArray();
    FieldWriter frame = new FieldWriter(FieldWriter.sizeOfMessage(bytes.length));
    frame.presentBytes(Frame.MESSAGES, bytes);
    return frame.toByteArray();
  }

  static byte[] readerOpened(long id, long version) {
    int size = FieldWriter.sizeOfNumber(version);
    FieldWriter frame = FieldWriter.enveloped(id, Reply.READER_OPENED_FIELD_NUMBER, size);
    frame.number(1, version);
    return frame.toByteArray();
  }

  static byte[] value(long id, byte @Nullable [] value) {
    int size = value == null ? 0 : FieldWriter.sizeOfMessage(value.length);
    FieldWriter frame = FieldWriter.enveloped(id, Reply.VALUE_FIELD_NUMBER, size);
    if (value != null) {
      frame.presentBytes(1, value);
    }
    return frame.toByteArray();
  }

  static byte[] committed(long id, Commit.Position position) {
    int size =
        FieldWriter.sizeOfNumber(position.version()) + FieldWriter.sizeOfNumber(position.batch());
    FieldWriter frame = FieldWriter.enveloped(id, Reply.COMMITTED_FIELD_NUMBER, size);
    frame.number(1, position.version());
    frame.number(2, position.batch());
    return frame.toByteArray();
  }
}
