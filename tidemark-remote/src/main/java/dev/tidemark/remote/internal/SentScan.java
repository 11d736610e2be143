package dev.tidemark.remote.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.remote.internal.wire.ScanRows;

/** A part of a scan that a client sent. Numbers of rows and bytes are unsigned. */
record SentScan(long reader, Key begin, Key end, int rows, int bytes, boolean reverse) {
  static SentScan read(FieldReader fields) {
    long reader = 0;
    Key begin = Key.EMPTY;
    Key end = Key.EMPTY;
    int rows = 0;
    int bytes = 0;
    boolean reverse = false;
    while (fields.next()) {
      switch (fields.field()) {
        case ScanRows.READER_FIELD_NUMBER -> reader = fields.number();
        case ScanRows.BEGIN_FIELD_NUMBER -> begin = Key.wrap(fields.copy());
        case ScanRows.END_FIELD_NUMBER -> end = Key.wrap(fields.copy());
        case ScanRows.ROWS_FIELD_NUMBER -> rows = (int) fields.number();
        case ScanRows.BYTES_FIELD_NUMBER -> bytes = (int) fields.number();
        case ScanRows.REVERSE_FIELD_NUMBER -> reverse = fields.number() != 0;
        default -> fields.skip();
      }
    }
    return new SentScan(reader, begin, end, rows, bytes, reverse);
  }
}
