package dev.tidemark.remote.internal;

import dev.tidemark.kv.internal.Commit;
import dev.tidemark.remote.internal.wire.Reply;
import org.jspecify.annotations.Nullable;

/** What a reply says. Those that come in great numbers are read here, the others by protobuf. */
sealed interface Answer {
  /** The value of a key, null if it has none. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Value(byte @Nullable [] bytes) implements Answer {}

  /** A reader reads {@code version}. */
  record ReaderOpened(long version) implements Answer {}

  /** A commit happened. */
  record Committed(Commit.Position position) implements Answer {}

  /** Anything else. */
  record Other(Reply reply) implements Answer {}

  /** Reads a reply. */
  static Answer in(Envelope envelope) {
    return switch (envelope.kind()) {
      case Reply.VALUE_FIELD_NUMBER -> value(envelope.message());
      case Reply.READER_OPENED_FIELD_NUMBER -> readerOpened(envelope.message());
      case Reply.COMMITTED_FIELD_NUMBER -> committed(envelope.message());
      default -> new Other(envelope.whole().parseShared(Reply::parseFrom));
    };
  }

  private static Answer value(FieldReader fields) {
    byte[] bytes = null;
    while (fields.next()) {
      if (fields.field() == 1) {
        bytes = fields.copy();
      } else {
        fields.skip();
      }
    }
    return new Value(bytes);
  }

  private static Answer readerOpened(FieldReader fields) {
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

  private static Answer committed(FieldReader fields) {
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
