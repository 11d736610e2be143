package dev.tidemark.records.internal.space;

import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.space.StoredRecords.Found;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over stored records in the order of their primary keys, including expired ones that are
 * not swept yet, because indexes have them too.
 */
public final class StoredRows<R> implements Iterator<StoredRow<R>> {
  private final ReadTransaction tx;
  private final TypeKeys keys;
  private final StoredRecords<R> stored;
  private final Iterator<KeyValue> rows;
  private @Nullable StoredRow<R> next;

  public StoredRows(
      ReadTransaction tx, TypeKeys keys, StoredRecords<R> stored, KeyRange range, boolean reverse) {
    this.tx = tx;
    this.keys = keys;
    this.stored = stored;
    Scan scan = tx.scan(range);
    this.rows = (reverse ? scan.reverse() : scan).iterator();
  }

  @Override
  public boolean hasNext() {
    while (next == null && rows.hasNext()) {
      KeyValue row = rows.next();
      Tuple whole = keys.space().unpack(row.key());
      int last = whole.size() - 1;
      if (whole.getLong(last) == RecordKey.MAIN) {
        Tuple primaryKey = whole.subTuple(0, last);
        RecordKey key = keys.record(primaryKey);
        Found<R> found = stored.decode(tx, key, row.value(), primaryKey);
        next =
            new StoredRow<>(
                primaryKey,
                key,
                found.record(),
                row.key().size() + found.bytes().length,
                found.encryptedAsNow());
      }
    }
    return next != null;
  }

  @Override
  public StoredRow<R> next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("There are no more records");
    }
    StoredRow<R> row = next;
    next = null;
    return row;
  }
}
