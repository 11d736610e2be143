package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import java.util.OptionalInt;

/*
 * The key of an entry of a record that its transaction has saved is unknown until the commit assigns its
 * versionstamp. Such entries are collected and set just before the commit: if the same transaction changes or
 * deletes the record again, its entry is only dropped from the collection.
 */

/**
 * VERSION: (columns..., versionstamp of the last save, primary key...) holds nothing. Records from
 * before their type kept versions have null there.
 */
public final class VersionMaintainer extends Maintainer implements Scannable {
  private static final byte[] NOTHING = {};

  private final EntryLayout layout;
  private final TypeKeys records;

  VersionMaintainer(
      IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits, TypeKeys records) {
    super(index, type, keys, limits);
    this.layout = EntryLayout.of(type, index);
    this.records = records;
  }

  @Override
  public EntryLayout layout() {
    return layout;
  }

  @Override
  public boolean idempotent() {
    return true;
  }

  @Override
  boolean ignoresUnchanged() {
    return false;
  }

  @Override
  public Contents contents() {
    return Contents.ROWS;
  }

  @Override
  public Tuple primaryKeyOf(Tuple key) {
    return layout.primaryKey(key);
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    return layout.entries(record, primaryKey, Tuple.EMPTY);
  }

  @Override
  public void checkSize(Entry entry, Tuple primaryKey) {
    keyOf(new Entry(stamped(entry, Versionstamp.of(0, 0, 0)), Tuple.EMPTY), primaryKey);
  }

  @Override
  public Key storedKey(ReadTransaction tx, Entry entry, Tuple primaryKey) {
    return keys()
        .entries()
        .pack(
            tx.get(records.record(primaryKey).version())
                .map(stamp -> stamped(entry, Versionstamp.fromBytes(stamp)))
                .orElse(entry.key()));
  }

  @Override
  public void add(Transaction tx, Entry entry, Tuple primaryKey) {
    OptionalInt order = SaveOrder.of(tx).last(records.record(primaryKey).prefix());
    if (order.isEmpty()) {
      tx.set(storedKey(tx, entry, primaryKey), NOTHING);
      return;
    }
    SaveOrder.of(tx).addStamped(tx, template(entry, order.getAsInt()));
  }

  @Override
  void remove(Transaction tx, Entry entry, Tuple primaryKey) {
    OptionalInt order = SaveOrder.of(tx).last(records.record(primaryKey).prefix());
    if (order.isEmpty()) {
      checkSize(entry, primaryKey);
      tx.clear(storedKey(tx, entry, primaryKey));
      return;
    }
    SaveOrder.of(tx).removeStamped(template(entry, order.getAsInt()));
  }

  private Key template(Entry entry, int order) {
    return keys().entries().packWithVersionstamp(stamped(entry, Versionstamp.incomplete(order)));
  }

  private Tuple stamped(Entry entry, Versionstamp stamp) {
    int columns = layout.columns().size();
    Tuple key = entry.key();
    return key.subTuple(0, columns).append(stamp).concat(key.subTuple(columns + 1, key.size()));
  }
}
