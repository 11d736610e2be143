package dev.tidemark.remote.internal.server;

import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.scan.ScanPortion;
import dev.tidemark.remote.internal.transport.FieldWriter;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.transport.PackedRows;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Rows;
import dev.tidemark.remote.internal.wire.Value;
import org.jspecify.annotations.Nullable;

/**
 * Replies as they cross the network: each a field of its frame. Those that come in great numbers
 * are written here byte by byte, the others by protobuf, in the same format.
 */
public final class ReplyFields {
  private ReplyFields() {}

  public static byte[] of(Reply reply) {
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

  /** A value, and the version that was read; zero where the client knows it. */
  public static byte[] value(long id, byte @Nullable [] value, long version) {
    int size = value == null ? 0 : FieldWriter.sizeOfMessage(value.length);
    size += FieldWriter.sizeOfNumber(version);
    FieldWriter frame = FieldWriter.enveloped(id, Reply.VALUE_FIELD_NUMBER, size);
    if (value != null) {
      frame.presentBytes(Value.VALUE_FIELD_NUMBER, value);
    }
    frame.number(Value.VERSION_FIELD_NUMBER, version);
    return frame.toByteArray();
  }

  /** A part of a scan, and the version that was read; zero where the client knows it. */
  static byte[] rows(long id, ScanPortion rows, boolean unfinished, long version) {
    int packed = PackedRows.sizeOf(rows.rows());
    int more = rows.more() && !unfinished ? 1 : 0;
    int size =
        (packed == 0 ? 0 : FieldWriter.sizeOfMessage(packed))
            + FieldWriter.sizeOfNumber(unfinished ? 1 : 0)
            + FieldWriter.sizeOfNumber(more)
            + FieldWriter.sizeOfNumber(version);
    FieldWriter frame = FieldWriter.enveloped(id, Reply.ROWS_FIELD_NUMBER, size);
    if (packed > 0) {
      frame.begin(Rows.PACKED_FIELD_NUMBER, packed);
      PackedRows.write(rows.rows(), frame);
    }
    frame.number(Rows.UNFINISHED_FIELD_NUMBER, unfinished ? 1 : 0);
    frame.number(Rows.MORE_FIELD_NUMBER, more);
    frame.number(Rows.VERSION_FIELD_NUMBER, version);
    return frame.toByteArray();
  }

  /** The number of the client's parts of a scan that are unchanged. */
  static byte[] unchanged(long id, int parts, long version) {
    int size = FieldWriter.sizeOfNumber(version) + FieldWriter.sizeOfNumber(parts);
    FieldWriter frame = FieldWriter.enveloped(id, Reply.ROWS_FIELD_NUMBER, size);
    frame.number(Rows.VERSION_FIELD_NUMBER, version);
    frame.number(Rows.UNCHANGED_FIELD_NUMBER, parts);
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
