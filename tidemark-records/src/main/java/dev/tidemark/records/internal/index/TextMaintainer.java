package dev.tidemark.records.internal.index;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.ColumnReader;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * TEXT: (group..., word, primary key...) holds the places of the word in the text, from 0 on.
 * Records without a text have no entries.
 */
public final class TextMaintainer extends Maintainer {
  /** The form with words that are the same on every Java runtime. */
  static final int PINNED = 1;

  private final Columns columns;
  private final Columns groups;
  private final ColumnReader text;
  private final boolean pinned;

  TextMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits, int form) {
    super(index, type, keys, limits);
    this.columns = Columns.of(type, index.columns());
    this.groups = Columns.of(type, index.columns().subList(0, index.groupColumns()));
    this.text = ColumnReader.of(type, index.columns().getLast());
    this.pinned = form == PINNED;
  }

  /** The columns of the group, and the text. */
  public Columns columns() {
    return columns;
  }

  @Override
  public boolean idempotent() {
    return true;
  }

  @Override
  public Contents contents() {
    return Contents.ROWS;
  }

  @Override
  public Tuple primaryKeyOf(Tuple key) {
    return key.subTuple(columns.size(), key.size());
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    if (!(text.single(record) instanceof String found)) {
      return List.of();
    }
    List<String> words = pinned ? TextWords.of(found) : TextWords.byThisRuntime(found);
    Map<String, List<Integer>> places = new TreeMap<>();
    for (int i = 0; i < words.size(); i++) {
      places.computeIfAbsent(words.get(i), word -> new ArrayList<>()).add(i);
    }
    Tuple group = groups.single(record);
    List<Entry> entries = new ArrayList<>(places.size());
    places.forEach(
        (word, at) ->
            entries.add(new Entry(group.append(word).concat(primaryKey), Tuple.copyOf(at))));
    return entries;
  }

  @Override
  KeyValue checkedRow(Entry entry, Tuple primaryKey) {
    return rowOf(entry, primaryKey);
  }

  @Override
  public void add(Transaction tx, Entry entry, Tuple primaryKey) {
    KeyValue row = rowOf(entry, primaryKey);
    tx.set(row.key(), row.value());
  }

  @Override
  void remove(Transaction tx, Entry entry, Tuple primaryKey) {
    tx.clear(keyOf(entry, primaryKey));
  }
}
