package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;

/** The entries of one partition's log as rows: one each, or several where an entry is long. */
final class LogRows {
  private static final int PIECE_BYTES = 90_000;
  private static final int ROWS_A_TRANSACTION = 1_000;

  private final PartitionKeys keys;
  private final String partition;

  LogRows(PartitionKeys keys, String partition) {
    this.keys = keys;
    this.partition = partition;
  }

  void write(Transaction tx, long lsn, byte[] record) {
    if (record.length <= PIECE_BYTES) {
      tx.set(keys.logEntry(partition, lsn), record);
      return;
    }
    for (int piece = 0, from = 0; from < record.length; piece++, from += PIECE_BYTES) {
      byte[] bytes = Arrays.copyOfRange(record, from, Math.min(from + PIECE_BYTES, record.length));
      tx.set(keys.logPiece(partition, lsn, piece), bytes);
    }
  }

  /**
   * Gives {@code target} the entries behind {@code lsn}, in order, each of them.
   *
   * @return the last one
   */
  long read(Database database, long lsn, JournalTarget target) throws Exception {
    Reading reading = new Reading(lsn, target);
    KeyRange rest = keys.logBehind(partition, lsn);
    while (true) {
      KeyRange range = rest;
      List<KeyValue> rows = database.read(tx -> tx.scan(range).limit(ROWS_A_TRANSACTION).list());
      for (KeyValue row : rows) {
        reading.row(row.key(), row.value());
      }
      if (rows.size() < ROWS_A_TRANSACTION) {
        reading.entryEnds();
        return reading.lsn;
      }
      rest = new KeyRange(rows.getLast().key().next(), range.end());
    }
  }

  /** Puts pieces together, and entries into the target. */
  private final class Reading {
    private final JournalTarget target;
    private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    private long lsn;
    private boolean begun;

    Reading(long lsn, JournalTarget target) {
      this.lsn = lsn;
      this.target = target;
    }

    void row(Key key, byte[] value) throws Exception {
      long number = keys.lsnOf(key);
      if (begun && number == lsn) {
        pieces.writeBytes(value);
        return;
      }
      entryEnds();
      if (number != lsn + 1) {
        throw new PartitionException(
            Reason.CORRUPT,
            "The log of %s has no entry %,d: %,d comes behind %,d"
                .formatted(partition, lsn + 1, number, lsn));
      }
      lsn = number;
      begun = true;
      pieces.writeBytes(value);
    }

    void entryEnds() throws Exception {
      if (begun) {
        target.entry(lsn, LogRecord.decode(partition, lsn, pieces.toByteArray()));
        pieces.reset();
        begun = false;
      }
    }
  }
}
