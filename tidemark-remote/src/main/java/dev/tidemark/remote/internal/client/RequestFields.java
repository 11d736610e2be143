package dev.tidemark.remote.internal.client;

import dev.tidemark.kv.Key;
import dev.tidemark.remote.internal.transport.FieldWriter;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.wire.Known;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.ScanRows;
import java.util.List;

/**
 * Requests as they cross the network: each a field of its frame. Those that come in great numbers
 * are written here byte by byte, the others by protobuf, in the same format.
 */
public final class RequestFields {
  private RequestFields() {}

  static byte[] of(Request request) {
    byte[] bytes = request.toByteArray();
    FieldWriter frame = new FieldWriter(FieldWriter.sizeOfMessage(bytes.length));
    frame.presentBytes(Frame.MESSAGES, bytes);
    return frame.toByteArray();
  }

  public static byte[] openReader(long id, long reader, long version) {
    int size = FieldWriter.sizeOfNumber(reader) + FieldWriter.sizeOfNumber(version);
    FieldWriter frame = FieldWriter.enveloped(id, Request.OPEN_READER_FIELD_NUMBER, size);
    frame.number(1, reader);
    frame.number(2, version);
    return frame.toByteArray();
  }

  public static byte[] releaseReader(long reader) {
    FieldWriter frame =
        FieldWriter.enveloped(
            0, Request.RELEASE_READER_FIELD_NUMBER, FieldWriter.sizeOfNumber(reader));
    frame.number(1, reader);
    return frame.toByteArray();
  }

  public static byte[] get(long id, long reader, Key key) {
    byte[] bytes = key.unsafeBytes();
    int size = FieldWriter.sizeOfNumber(reader) + FieldWriter.sizeOfBytes(bytes);
    FieldWriter frame = FieldWriter.enveloped(id, Request.GET_FIELD_NUMBER, size);
    frame.number(1, reader);
    frame.bytes(2, bytes);
    return frame.toByteArray();
  }

  public static byte[] scan(
      long id, long reader, RowStream.Portion portion, int bytes, List<KnownRows.Part> known) {
    byte[] begin = portion.begin().unsafeBytes();
    byte[] end = portion.end().unsafeBytes();
    int reverse = portion.reverse() ? 1 : 0;
    int size =
        FieldWriter.sizeOfNumber(reader)
            + FieldWriter.sizeOfBytes(begin)
            + FieldWriter.sizeOfBytes(end)
            + FieldWriter.sizeOfNumber(portion.rows())
            + FieldWriter.sizeOfNumber(bytes)
            + FieldWriter.sizeOfNumber(reverse);
    for (KnownRows.Part part : known) {
      size += FieldWriter.sizeOfMessage(sizeOf(part));
    }
    FieldWriter frame = FieldWriter.enveloped(id, Request.SCAN_ROWS_FIELD_NUMBER, size);
    frame.number(ScanRows.READER_FIELD_NUMBER, reader);
    frame.bytes(ScanRows.BEGIN_FIELD_NUMBER, begin);
    frame.bytes(ScanRows.END_FIELD_NUMBER, end);
    frame.number(ScanRows.ROWS_FIELD_NUMBER, portion.rows());
    frame.number(ScanRows.BYTES_FIELD_NUMBER, bytes);
    frame.number(ScanRows.REVERSE_FIELD_NUMBER, reverse);
    for (KnownRows.Part part : known) {
      frame.begin(ScanRows.KNOWN_FIELD_NUMBER, sizeOf(part));
      frame.bytes(Known.END_FIELD_NUMBER, part.end().unsafeBytes());
      frame.number(Known.VERSION_FIELD_NUMBER, part.version());
    }
    return frame.toByteArray();
  }

  private static int sizeOf(KnownRows.Part part) {
    return FieldWriter.sizeOfBytes(part.end().unsafeBytes())
        + FieldWriter.sizeOfNumber(part.version());
  }

  public static byte[] commit(long id, FieldWriter commit) {
    FieldWriter frame =
        FieldWriter.enveloped(id, Request.COMMIT_WRITES_FIELD_NUMBER, commit.size());
    frame.contents(commit);
    return frame.toByteArray();
  }
}
