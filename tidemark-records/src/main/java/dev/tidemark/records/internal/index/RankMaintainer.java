package dev.tidemark.records.internal.index;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * RANK: (group..., value, primary key...) holds nothing, for records with a value; beside it a
 * {@link SkipList} counts the entries of each group. Records with the same value are in the order
 * of their primary keys.
 */
public final class RankMaintainer extends Maintainer implements Scannable {
  private final EntryLayout layout;
  private final int groupColumns;
  private final SkipList places;

  RankMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits);
    this.layout = EntryLayout.of(type, index);
    this.groupColumns = index.groupColumns();
    this.places = new SkipList(keys.entries(), keys.secondary());
  }

  @Override
  public EntryLayout layout() {
    return layout;
  }

  @Override
  public boolean idempotent() {
    return true;
  }

  /** The nodes of the skip list count entries, so a single row cannot be repaired. */
  @Override
  public Contents contents() {
    return Contents.TOTALS;
  }

  @Override
  public Tuple primaryKeyOf(Tuple key) {
    return layout.primaryKey(key);
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    return layout.entriesNotNull(record, primaryKey);
  }

  @Override
  public void checkSize(Entry entry, Tuple primaryKey) {
    keyOf(new Entry(entry.key().append(SkipList.LEVELS), Tuple.EMPTY), primaryKey);
  }

  @Override
  public void add(Transaction tx, Entry entry, Tuple primaryKey) {
    places.add(tx, group(entry.key()), element(entry.key()));
  }

  @Override
  void remove(Transaction tx, Entry entry, Tuple primaryKey) {
    places.remove(tx, group(entry.key()), element(entry.key()));
  }

  /** How many entries of its group come before {@code key}: columns, or columns and primary key. */
  public long countBefore(ReadTransaction tx, Tuple key) {
    return places.countBefore(tx, group(key), element(key));
  }

  /** The primary key of the record with {@code rank} in {@code group}. */
  public Optional<Tuple> at(ReadTransaction tx, Tuple group, long rank) {
    return places.at(tx, group, rank).map(layout::primaryKey);
  }

  /** The places in {@code group}; {@code read} gets each row that is read. */
  public Places places(ReadTransaction tx, Tuple group, Consumer<KeyValue> read) {
    return new Places(places, tx, group, read);
  }

  private Tuple group(Tuple key) {
    return key.subTuple(0, groupColumns);
  }

  private Tuple element(Tuple key) {
    return key.subTuple(groupColumns, key.size());
  }
}
