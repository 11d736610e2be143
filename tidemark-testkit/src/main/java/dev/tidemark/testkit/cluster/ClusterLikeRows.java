package dev.tidemark.testkit.cluster;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.KeyValue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The rows of one iteration, some of which may be read ahead. */
final class ClusterLikeRows implements Iterator<KeyValue> {
  private static final int AHEAD = 32;

  private final ClusterLikeTransaction transaction;
  private final Iterator<KeyValue> rows;
  private final Deque<KeyValue> ahead = new ArrayDeque<>();

  /** What comes after the rows that were read ahead, if they did not come to an end. */
  private @Nullable DatabaseException failure;

  ClusterLikeRows(ClusterLikeTransaction transaction, Iterator<KeyValue> rows) {
    this.transaction = transaction;
    this.rows = rows;
  }

  @Override
  public boolean hasNext() {
    if (!ahead.isEmpty()) {
      return true;
    }
    if (failure != null) {
      throw failure;
    }
    return transaction.read(rows::hasNext);
  }

  @Override
  public KeyValue next() {
    if (!hasNext()) {
      throw new NoSuchElementException("The scan has no more rows");
    }
    if (!ahead.isEmpty()) {
      return ahead.remove();
    }
    KeyValue row = transaction.read(rows::next);
    if (transaction.readsAhead()) {
      readAhead();
    }
    return row;
  }

  private void readAhead() {
    try {
      while (ahead.size() < AHEAD && transaction.read(rows::hasNext)) {
        ahead.add(transaction.read(rows::next));
      }
    } catch (DatabaseException failed) {
      failure = failed;
    }
  }
}
