package dev.tidemark.records.internal.query;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of whole primary keys, several at a time. Places are those of {@link SpanScan}.
 */
final class PointReads implements KeySource {
  private static final int PORTION = 256;

  private final Reads reads;
  private final Iterator<Span> spans;
  private final int prefix;
  private final Tuple start;
  private final @Nullable Key after;
  private Iterator<KeyValue> rows = Collections.emptyIterator();
  private @Nullable KeyValue last;

  PointReads(Reads reads, KeyLayout layout, AccessRanges ranges, boolean reverse, Tuple start) {
    byte[] bytes = layout.prefix().unsafeBytes();
    byte[] done = start.isEmpty() ? null : Packed.concat(bytes, start.getBytes(0));
    this.reads = reads;
    this.spans = Spans.of(reads.tx(), layout, ranges, reverse, done, reads.counts());
    this.prefix = bytes.length;
    this.start = start;
    this.after = done == null ? null : Key.wrap(done);
  }

  @Override
  public @Nullable KeyValue next() {
    if (!reads.meter().allows(last == null)) {
      return null;
    }
    while (!rows.hasNext()) {
      if (!spans.hasNext()) {
        return null;
      }
      rows = read();
    }
    KeyValue row = rows.next();
    reads.spend(row);
    last = row;
    return row;
  }

  /** A range from which its record was taken has still keys behind that. */
  private boolean isDone(Key key) {
    return after != null && key.compareTo(after) == 0;
  }

  private Iterator<KeyValue> read() {
    List<Key> keys = new ArrayList<>();
    while (keys.size() < PORTION && spans.hasNext()) {
      Key key = Spans.point(spans.next());
      if (!isDone(key)) {
        keys.add(key);
      }
    }
    if (keys.size() == 1) {
      Optional<byte[]> value = reads.tx().get(keys.getFirst());
      return value.map(found -> new KeyValue(keys.getFirst(), found)).stream().iterator();
    }
    Map<Key, byte[]> values = reads.tx().getAll(keys);
    List<KeyValue> found = new ArrayList<>(values.size());
    values.forEach((key, value) -> found.add(new KeyValue(key, value)));
    return found.iterator();
  }

  @Override
  public Key recordKey(KeyValue row) {
    return row.key();
  }

  @Override
  public int range() {
    return 0;
  }

  @Override
  public Tuple place(byte[] key, int range) {
    return Tuple.of((Object) Arrays.copyOfRange(key, prefix, key.length));
  }

  @Override
  public Tuple reached() {
    return last == null ? start : place(last.key().unsafeBytes(), 0);
  }
}
