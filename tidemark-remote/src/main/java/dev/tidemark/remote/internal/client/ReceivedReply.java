package dev.tidemark.remote.internal.client;

import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.remote.internal.transport.Envelope;
import dev.tidemark.remote.internal.transport.FieldReader;
import dev.tidemark.remote.internal.transport.PackedRows;
import dev.tidemark.remote.internal.wire.Reply;
import org.jspecify.annotations.Nullable;

/** A reply. Frequent kinds are parsed here, the others by protobuf. */
public sealed interface ReceivedReply {
  /**
   * The value of a key, null if it has none, and the version that was read; zero if the server did
   * not send it.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Value(byte @Nullable [] bytes, long version) implements ReceivedReply {}

  /**
   * Rows of a scan.
   *
   * @param packed where they are
   * @param unfinished whether others follow
   * @param more whether there may be rows after these
   * @param version the version that was read; zero if the server did not send it
   * @param unchanged how many of the client's parts, from the first on, are unchanged
   */
  record Rows(
      PackedRows.Reader packed, boolean unfinished, boolean more, long version, int unchanged)
      implements ReceivedReply {}

  /** A reader reads {@code version}. */
  record ReaderOpened(long version) implements ReceivedReply {}

  /** A commit happened. */
  record Committed(Commit.Position position) implements ReceivedReply {}

  /** Anything else. */
  record Other(Reply reply) implements ReceivedReply {}

  /** Reads a reply. */
  static ReceivedReply in(Envelope envelope) {
    return switch (envelope.kind()) {
      case Reply.VALUE_FIELD_NUMBER -> value(envelope.message());
      case Reply.ROWS_FIELD_NUMBER -> rows(envelope.message());
      case Reply.READER_OPENED_FIELD_NUMBER -> readerOpened(envelope.message());
      case Reply.COMMITTED_FIELD_NUMBER -> committed(envelope.message());
      default -> new Other(envelope.whole().parseShared(Reply::parseFrom));
    };
  }

  private static ReceivedReply value(FieldReader fields) {
    byte[] bytes = null;
    long version = 0;
    while (fields.next()) {
      switch (fields.field()) {
        case 1 -> bytes = fields.copy();
        case 2 -> version = fields.number();
        default -> fields.skip();
      }
    }
    return new Value(bytes, version);
  }

  private static ReceivedReply rows(FieldReader fields) {
    PackedRows.Reader packed = PackedRows.NONE;
    boolean unfinished = false;
    boolean more = false;
    long version = 0;
    int unchanged = 0;
    while (fields.next()) {
      switch (fields.field()) {
        case 1 -> packed = fields.rows();
        case 2 -> unfinished = fields.number() != 0;
        case 3 -> more = fields.number() != 0;
        case 4 -> version = fields.number();
        case 5 -> unchanged = (int) fields.number();
        default -> fields.skip();
      }
    }
    return new Rows(packed, unfinished, more, version, unchanged);
  }

  private static ReceivedReply readerOpened(FieldReader fields) {
    long version = 0;
    while (fields.next()) {
      if (fields.field() == 1) {
        version = fields.number();
      } else {
        fields.skip();
      }
    }
    return new ReaderOpened(version);
  }

  private static ReceivedReply committed(FieldReader fields) {
    long version = 0;
    int batch = 0;
    while (fields.next()) {
      switch (fields.field()) {
        case 1 -> version = fields.number();
        case 2 -> batch = (int) fields.number();
        default -> fields.skip();
      }
    }
    return new Committed(new Commit.Position(version, batch));
  }
}
