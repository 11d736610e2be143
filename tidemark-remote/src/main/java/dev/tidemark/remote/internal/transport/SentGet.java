package dev.tidemark.remote.internal.transport;

import dev.tidemark.kv.Key;
import dev.tidemark.remote.internal.wire.Get;

/** A read of one key that a client sent. */
public record SentGet(long reader, Key key) {
  public static SentGet read(FieldReader fields) {
    long reader = 0;
    Key key = Key.EMPTY;
    while (fields.next()) {
      switch (fields.field()) {
        case Get.READER_FIELD_NUMBER -> reader = fields.number();
        case Get.KEY_FIELD_NUMBER -> key = Key.wrap(fields.copy());
        default -> fields.skip();
      }
    }
    return new SentGet(reader, key);
  }
}
