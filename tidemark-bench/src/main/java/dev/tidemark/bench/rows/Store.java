package dev.tidemark.bench.rows;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import java.util.List;
import java.util.SplittableRandom;

/** A database through its public interface, as a program would use it. */
public class Store implements AutoCloseable {
  private static final int LOAD_ROWS = 1_000;
  private static final int SCAN_PORTION = 10_000;

  private final Database database;

  /** Owns {@code database}. */
  public Store(Database database) {
    this.database = database;
  }

  /** Stores all rows in no order, a thousand in a transaction. */
  public void load(Dataset dataset) {
    SplittableRandom random = new SplittableRandom(1);
    for (int from = 0; from < dataset.size(); from += LOAD_ROWS) {
      int begin = from;
      int end = Math.min(from + LOAD_ROWS, dataset.size());
      database.run(
          tx -> {
            for (int i = begin; i < end; i++) {
              tx.set(Key.wrap(dataset.at(i)), Dataset.value(random));
            }
          });
    }
  }

  /** One read in a transaction of its own. */
  public byte[] get(byte[] key) {
    return database.read(tx -> tx.get(Key.wrap(key))).orElseThrow();
  }

  /** {@code count} reads in one transaction; returns the bytes read. */
  public long get(Dataset dataset, SplittableRandom random, int count) {
    return database.read(tx -> read(tx, dataset, random, count));
  }

  private static long read(
      ReadTransaction tx, Dataset dataset, SplittableRandom random, int count) {
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += tx.get(Key.wrap(dataset.random(random))).orElseThrow().length;
    }
    return bytes;
  }

  /** Reads {@code rows} rows in a transaction of its own and returns their bytes. */
  public long scan(byte[] from, int rows) {
    return database.read(
        tx -> {
          long bytes = 0;
          for (KeyValue row : tx.scan(KeyRange.of(Key.wrap(from), Key.END)).limit(rows)) {
            bytes += row.key().size() + row.value().length;
          }
          return bytes;
        });
  }

  /** Reads everything, in as many transactions as it takes, and returns the number of rows. */
  public long scanAll() {
    long rows = 0;
    Key from = Key.EMPTY;
    while (true) {
      KeyRange rest = KeyRange.of(from, Key.END);
      List<KeyValue> portion = database.read(tx -> tx.scan(rest).limit(SCAN_PORTION).list());
      if (portion.isEmpty()) {
        return rows;
      }
      rows += portion.size();
      from = portion.getLast().key().next();
    }
  }

  public void commit(Batch batch) {
    database.run(tx -> batch.writeTo((key, value) -> tx.set(Key.wrap(key), value)));
  }

  /** One write in a transaction of its own. */
  public void set(byte[] key, byte[] value) {
    database.run(tx -> tx.set(Key.wrap(key), value));
  }

  /** Reads random rows and writes others, in one transaction; returns the bytes read. */
  public long readAndCommit(Dataset dataset, SplittableRandom random, int reads) {
    Batch batch = Batch.random(dataset, random);
    return database.transact(
        tx -> {
          batch.writeTo((key, value) -> tx.set(Key.wrap(key), value));
          return read(tx, dataset, random, reads);
        });
  }

  @Override
  public void close() {
    database.close();
  }
}
