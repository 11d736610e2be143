package dev.tidemark.remote.internal.transport;

import dev.tidemark.remote.internal.wire.OpenReader;

/**
 * A reader that a client opens or releases.
 *
 * @param number the client's number for it
 * @param version the version to read; zero for the latest
 */
public record SentReader(long number, long version) {
  public static SentReader read(FieldReader fields) {
    long number = 0;
    long version = 0;
    while (fields.next()) {
      switch (fields.field()) {
        case OpenReader.READER_FIELD_NUMBER -> number = fields.number();
        case OpenReader.VERSION_FIELD_NUMBER -> version = fields.number();
        default -> fields.skip();
      }
    }
    return new SentReader(number, version);
  }
}
