package dev.tidemark.remote.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.remote.internal.wire.Request;

/**
 * Requests as they cross the network: each a field of its frame. Those that come in great numbers
 * are written here byte by byte, the others by protobuf, in the same format.
 */
final class Requests {
  private Requests() {}

  static byte[] of(Request request) {
    byte[] bytes = request.toByteArray();
    FieldWriter frame = new FieldWriter(FieldWriter.sizeOfMessage(bytes.length));
    frame.presentBytes(Frame.MESSAGES, bytes);
    return frame.toByteArray();
  }

  static byte[] openReader(long id, long reader, long version) {
    int size = FieldWriter.sizeOfNumber(reader) + FieldWriter.sizeOfNumber(version);
    FieldWriter frame = FieldWriter.enveloped(id, Request.OPEN_READER_FIELD_NUMBER, size);
    frame.number(1, reader);
    frame.number(2, version);
    return frame.toByteArray();
  }

  static byte[] releaseReader(long reader) {
    FieldWriter frame =
        FieldWriter.enveloped(
            0, Request.RELEASE_READER_FIELD_NUMBER, FieldWriter.sizeOfNumber(reader));
    frame.number(1, reader);
    return frame.toByteArray();
  }

  static byte[] get(long id, long reader, Key key) {
    byte[] bytes = key.unsafeBytes();
    int size = FieldWriter.sizeOfNumber(reader) + FieldWriter.sizeOfBytes(bytes);
    FieldWriter frame = FieldWriter.enveloped(id, Request.GET_FIELD_NUMBER, size);
    frame.number(1, reader);
    frame.bytes(2, bytes);
    return frame.toByteArray();
  }

  static byte[] commit(long id, FieldWriter commit) {
    FieldWriter frame =
        FieldWriter.enveloped(id, Request.COMMIT_WRITES_FIELD_NUMBER, commit.size());
    frame.contents(commit);
    return frame.toByteArray();
  }
}
