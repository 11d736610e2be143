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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The entries of one partition's log as rows: many in one row where they were appended together,
 * several rows where an entry is long. The key of a row has the number of its last entry. So the
 * rows behind a number are all that have an entry behind it, and of the first of them some entries
 * may be known already; and a row goes only when all its entries may.
 */
final class LogRows {
  private static final int ROW_BYTES = 90_000;
  private static final int ROWS_A_TRANSACTION = 1_000;

  /** What a row of many records begins with; a row of one begins with the format of that. */
  private static final byte MANY = 2;

  private final PartitionKeys keys;
  private final String partition;

  LogRows(PartitionKeys keys, String partition) {
    this.keys = keys;
    this.partition = partition;
  }

  /** Writes {@code records}; the first one is entry {@code firstLsn}. */
  void write(Transaction tx, long firstLsn, List<byte[]> records) {
    int begin = 0;
    while (begin < records.size()) {
      int end = begin + 1;
      int bytes = 1 + sizeInRow(records.get(begin));
      while (end < records.size() && bytes + sizeInRow(records.get(end)) <= ROW_BYTES) {
        bytes += sizeInRow(records.get(end));
        end++;
      }
      long lsn = firstLsn + end - 1;
      if (end == begin + 1) {
        writeAlone(tx, lsn, records.get(begin));
      } else {
        tx.set(keys.logEntry(partition, lsn), together(records.subList(begin, end), bytes));
      }
      begin = end;
    }
  }

  private static int sizeInRow(byte[] record) {
    return Integer.BYTES + record.length;
  }

  private static byte[] together(List<byte[]> records, int bytes) {
    ByteBuffer row = ByteBuffer.allocate(bytes).put(MANY);
    records.forEach(record -> row.putInt(record.length).put(record));
    return row.array();
  }

  private void writeAlone(Transaction tx, long lsn, byte[] record) {
    if (record.length <= ROW_BYTES) {
      tx.set(keys.logEntry(partition, lsn), record);
      return;
    }
    for (int piece = 0, from = 0; from < record.length; piece++, from += ROW_BYTES) {
      byte[] bytes = Arrays.copyOfRange(record, from, Math.min(from + ROW_BYTES, record.length));
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

  /** Takes rows apart, puts pieces together, and entries into the target. */
  private final class Reading {
    private final JournalTarget target;
    private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    private long lsn;
    private boolean begun;

    /** Whether no row was read yet: only the first one may begin with entries that are known. */
    private boolean first = true;

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
      if (value.length > 0 && value[0] == MANY) {
        many(number, value);
      } else {
        follow(number);
        lsn = number;
        begun = true;
        pieces.writeBytes(value);
      }
      first = false;
    }

    private void follow(long number) {
      if (number != lsn + 1) {
        throw new PartitionException(
            Reason.CORRUPT,
            "The log of %s has no entry %,d: %,d comes behind %,d"
                .formatted(partition, lsn + 1, number, lsn));
      }
    }

    private void many(long last, byte[] value) throws Exception {
      List<byte[]> records = apart(last, value);
      long number = last - records.size() + 1;
      if (!first || number > lsn) {
        follow(number);
      }
      for (byte[] record : records) {
        if (number > lsn) {
          target.entry(number, LogRecord.decode(partition, number, record));
          lsn = number;
        }
        number++;
      }
    }

    private List<byte[]> apart(long last, byte[] value) {
      List<byte[]> records = new ArrayList<>();
      ByteBuffer row = ByteBuffer.wrap(value, 1, value.length - 1);
      while (row.hasRemaining()) {
        int length = row.remaining() < Integer.BYTES ? -1 : row.getInt();
        if (length < 0 || length > row.remaining()) {
          throw new PartitionException(
              Reason.CORRUPT,
              "The row of the log of %s that ends with entry %,d is damaged"
                  .formatted(partition, last));
        }
        byte[] record = new byte[length];
        row.get(record);
        records.add(record);
      }
      return records;
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
