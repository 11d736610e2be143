package dev.tidemark.records.internal.query;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Tuple;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Reads the ranges of an access one after the other. A place is a key without its prefix. */
final class SpanScan implements KeySource {
  private final Reads reads;
  private final KeyLayout layout;
  private final Iterator<Span> spans;
  private final int prefix;
  private final boolean reverse;
  private final int limit;
  private final Tuple start;
  private Iterator<KeyValue> rows = Collections.emptyIterator();
  private @Nullable KeyValue last;

  /**
   * Reads {@code ranges} from {@code start} on.
   *
   * @param limit how many keys are wanted at most; 0 if nobody knows
   */
  SpanScan(
      Reads reads, KeyLayout layout, AccessRanges ranges, boolean reverse, int limit, Tuple start) {
    byte[] bytes = layout.prefix().unsafeBytes();
    byte[] after = start.isEmpty() ? null : Packed.concat(bytes, start.getBytes(0));
    this.reads = reads;
    this.layout = layout;
    this.spans = Spans.of(reads.tx(), layout, ranges, reverse, after, reads.counts());
    this.prefix = bytes.length;
    this.reverse = reverse;
    this.limit = limit;
    this.start = start;
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
      Scan scan = reads.tx().scan(spans.next().range());
      scan = limit == 0 ? scan : scan.limit(limit);
      rows = (reverse ? scan.reverse() : scan).iterator();
    }
    KeyValue row = rows.next();
    reads.spend(row);
    last = row;
    return row;
  }

  @Override
  public Key recordKey(KeyValue row) {
    return layout.recordKey(row.key().unsafeBytes());
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
