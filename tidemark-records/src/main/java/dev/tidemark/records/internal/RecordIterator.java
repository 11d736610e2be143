package dev.tidemark.records.internal;

import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.internal.StoreKeys.RecordKey;
import dev.tidemark.records.internal.StoreKeys.TypeKeys;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Goes through records in the order of their primary keys. */
final class RecordIterator<R> implements Iterator<R> {
  private final ReadTransaction tx;
  private final TypeKeys keys;
  private final StoredRecords<R> stored;
  private final Iterator<KeyValue> rows;
  private final Predicate<R> isExpired;
  private @Nullable R next;

  RecordIterator(
      ReadTransaction tx,
      TypeKeys keys,
      StoredRecords<R> stored,
      KeyRange range,
      boolean reverse,
      Predicate<R> isExpired) {
    this.tx = tx;
    this.keys = keys;
    this.stored = stored;
    this.isExpired = isExpired;
    Scan scan = tx.scan(range);
    this.rows = (reverse ? scan.reverse() : scan).iterator();
  }

  @Override
  public boolean hasNext() {
    while (next == null && rows.hasNext()) {
      KeyValue row = rows.next();
      Tuple whole = keys.space().unpack(row.key());
      if (whole.getLong(whole.size() - 1) == RecordKey.MAIN) {
        Tuple pk = whole.subTuple(0, whole.size() - 1);
        R record = stored.decode(tx, keys.record(pk), row.value(), pk).record();
        next = isExpired.test(record) ? null : record;
      }
    }
    return next != null;
  }

  @Override
  public R next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("There are no more records");
    }
    R record = next;
    next = null;
    return record;
  }
}
