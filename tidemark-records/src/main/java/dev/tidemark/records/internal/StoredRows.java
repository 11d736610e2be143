package dev.tidemark.records.internal;

import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.internal.StoreKeys.RecordKey;
import dev.tidemark.records.internal.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.StoredRecords.Found;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Goes through stored records, those that are expired and not yet swept included: indexes have them
 * too.
 */
final class StoredRows implements Iterator<StoredRow> {
  private final ReadTransaction tx;
  private final TypeKeys keys;
  private final StoredRecords<?> stored;
  private final Iterator<KeyValue> rows;
  private @Nullable StoredRow next;

  StoredRows(ReadTransaction tx, TypeKeys keys, StoredRecords<?> stored, KeyRange primaryKeys) {
    this.tx = tx;
    this.keys = keys;
    this.stored = stored;
    this.rows = tx.scan(keys.records(primaryKeys)).iterator();
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
        Found<?> found = stored.decode(tx, key, row.value(), primaryKey);
        next =
            new StoredRow(primaryKey, key, found.record(), row.key().size() + found.bytes().length);
      }
    }
    return next != null;
  }

  @Override
  public StoredRow next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("There are no more records");
    }
    StoredRow row = next;
    next = null;
    return row;
  }
}
