package dev.tidemark.remote.internal.transport;

import dev.tidemark.kv.Key;
import dev.tidemark.remote.internal.wire.ScanRows;
import java.util.ArrayList;
import java.util.List;

/** A part of a scan that a client sent. Numbers of rows and bytes are unsigned. */
public record SentScan(
    long reader, Key begin, Key end, int rows, int bytes, boolean reverse, List<Known> known) {
  /** Parts of a scan that the server looks at, at most. */
  public static final int KNOWN_MAX = 64;

  /**
   * A part of the scan that the client has already, from the end of the one before.
   *
   * @param end where it ends
   * @param version as of which the client has it
   */
  public record Known(Key end, long version) {
    static Known read(FieldReader fields) {
      Key end = Key.EMPTY;
      long version = 0;
      while (fields.next()) {
        switch (fields.field()) {
          case dev.tidemark.remote.internal.wire.Known.END_FIELD_NUMBER ->
              end = Key.wrap(fields.copy());
          case dev.tidemark.remote.internal.wire.Known.VERSION_FIELD_NUMBER ->
              version = fields.number();
          default -> fields.skip();
        }
      }
      return new Known(end, version);
    }
  }

  public static SentScan read(FieldReader fields) {
    long reader = 0;
    Key begin = Key.EMPTY;
    Key end = Key.EMPTY;
    int rows = 0;
    int bytes = 0;
    boolean reverse = false;
    List<Known> known = new ArrayList<>(0);
    while (fields.next()) {
      switch (fields.field()) {
        case ScanRows.READER_FIELD_NUMBER -> reader = fields.number();
        case ScanRows.BEGIN_FIELD_NUMBER -> begin = Key.wrap(fields.copy());
        case ScanRows.END_FIELD_NUMBER -> end = Key.wrap(fields.copy());
        case ScanRows.ROWS_FIELD_NUMBER -> rows = (int) fields.number();
        case ScanRows.BYTES_FIELD_NUMBER -> bytes = (int) fields.number();
        case ScanRows.REVERSE_FIELD_NUMBER -> reverse = fields.number() != 0;
        case ScanRows.KNOWN_FIELD_NUMBER -> {
          if (known.size() < KNOWN_MAX) {
            known.add(Known.read(fields.message()));
          } else {
            fields.skip();
          }
        }
        default -> fields.skip();
      }
    }
    return new SentScan(reader, begin, end, rows, bytes, reverse, known);
  }
}
