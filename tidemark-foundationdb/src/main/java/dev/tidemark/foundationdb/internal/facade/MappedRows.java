package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MappedKeyValue;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.ReadTransaction;
import java.util.Iterator;
import java.util.List;

/** Rows, each with what its mapper leads to. */
record MappedRows(Iterator<KeyValue> rows, KeyMapper mapper, ReadTransaction reads)
    implements Iterator<MappedKeyValue> {
  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public MappedKeyValue next() {
    KeyValue row = rows.next();
    Key key = StoreValues.key(mapper.map(row));
    KeyRange range = mapper.range() ? KeyRange.startingWith(key) : KeyRange.single(key);
    List<KeyValue> found = reads.scan(range).list().stream().map(StoreValues::row).toList();
    return new MappedKeyValue(
        row.getKey(),
        row.getValue(),
        range.begin().toByteArray(),
        range.end().toByteArray(),
        found);
  }
}
