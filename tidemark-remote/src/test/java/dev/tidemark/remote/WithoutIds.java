package dev.tidemark.remote;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import java.time.Instant;
import java.util.List;

/**
 * A client whose commits are taken for certain, so that no idempotency ids appear among the keys
 * that a test has written itself. The server and its database are closed with it.
 */
record WithoutIds(RemoteDatabase client, DatabaseServer server, Database served)
    implements Database {
  @Override
  public Transaction begin(TransactionOptions options) {
    return client.begin(options);
  }

  @Override
  public long estimatedSize(KeyRange range) {
    return client.estimatedSize(range);
  }

  @Override
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    return client.splitPoints(range, pieceBytes);
  }

  @Override
  public boolean commitCanBeUnknown() {
    return false;
  }

  @Override
  public Limits limits() {
    return client.limits();
  }

  @Override
  public Instant timeOf(long version) {
    return client.timeOf(version);
  }

  @Override
  public long versionAt(Instant instant) {
    return client.versionAt(instant);
  }

  @Override
  public TimeSource time() {
    return client.time();
  }

  @Override
  public void close() {
    client.close();
    server.close();
    served.close();
  }
}
