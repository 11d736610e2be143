package dev.tidemark.foundationdb;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import java.time.Instant;
import java.util.List;

/**
 * A database whose commits are taken for certain, so that no idempotency ids appear among the keys
 * that a test has written itself. {@code ownedBelow} is closed with it.
 */
record WithoutIds(Database database, AutoCloseable ownedBelow) implements Database {
  @Override
  public Transaction begin(TransactionOptions options) {
    return database.begin(options);
  }

  @Override
  public long estimatedSize(KeyRange range) {
    return database.estimatedSize(range);
  }

  @Override
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    return database.splitPoints(range, pieceBytes);
  }

  @Override
  public boolean commitCanBeUnknown() {
    return false;
  }

  @Override
  public Instant timeOf(long version) {
    return database.timeOf(version);
  }

  @Override
  public long versionAt(Instant instant) {
    return database.versionAt(instant);
  }

  @Override
  public TimeSource time() {
    return database.time();
  }

  @Override
  public void close() {
    database.close();
    try {
      ownedBelow.close();
    } catch (Exception failure) {
      throw new AssertionError("What lies below " + database + " could not be closed", failure);
    }
  }
}
