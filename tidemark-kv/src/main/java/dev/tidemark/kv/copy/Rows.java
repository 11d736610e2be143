package dev.tidemark.kv.copy;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Some rows of a store, in order.
 *
 * @param list the rows
 * @param covered the keys that were looked at: the store has no other rows there
 * @param bytes keys and values together
 */
record Rows(List<KeyValue> list, KeyRange covered, long bytes) {
  /** Rows that a store keeps for itself among the program's: they mean nothing in another one. */
  static final KeyRange OWN =
      KeyRange.startingWith(
          Key.of((byte) 0xfd).append("tidemark/".getBytes(StandardCharsets.US_ASCII)));

  private static final int ROWS_MAX = 2_000;
  private static final long BYTES_MAX = 500_000;

  /** The program's rows from {@code begin} on: not more than fit a transaction with ease. */
  static Rows from(Database store, Key begin) {
    Key from =
        begin.compareTo(OWN.begin()) >= 0 && begin.compareTo(OWN.end()) < 0 ? OWN.end() : begin;
    Key end = from.compareTo(OWN.begin()) < 0 ? OWN.begin() : KeyRange.ALL.end();
    return store.read(
        tx -> {
          List<KeyValue> rows = new ArrayList<>();
          long bytes = 0;
          for (KeyValue row : tx.snapshot().scan(KeyRange.of(from, end)).limit(ROWS_MAX)) {
            rows.add(row);
            bytes += row.key().size() + row.value().length;
            if (bytes >= BYTES_MAX) {
              break;
            }
          }
          boolean isAll = rows.size() < ROWS_MAX && bytes < BYTES_MAX;
          Key upTo = isAll ? end : rows.getLast().key().next();
          return new Rows(rows, KeyRange.of(from, upTo), bytes);
        });
  }

  /** The same keys in another store, and one row more at most. */
  List<KeyValue> in(Database other) {
    return other.read(tx -> tx.snapshot().scan(covered).limit(list.size() + 1).list());
  }

  /** Whether there is nothing behind these. */
  boolean isLast() {
    return covered.end().equals(KeyRange.ALL.end());
  }
}
