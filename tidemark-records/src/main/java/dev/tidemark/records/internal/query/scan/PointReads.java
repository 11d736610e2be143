package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of whole primary keys, several at a time. Places are those of {@link SpanScan}.
 */
public final class PointReads implements KeySource {
  private static final int PORTION = 256;

  private final Reads reads;
  private final Iterator<Span> spans;
  private final int prefix;
  private final Tuple start;
  private final @Nullable Key after;

  /** The keys of the current portion, and the values of those that exist. */
  private Iterator<Key> keys = Collections.emptyIterator();

  private Map<Key, byte[]> values = Map.of();
  private @Nullable Key last;

  public PointReads(
      Reads reads, KeyLayout layout, AccessRanges ranges, boolean reverse, Tuple start) {
    byte[] bytes = layout.prefix().unsafeBytes();
    byte[] done = start.isEmpty() ? null : Packed.concat(bytes, start.getBytes(0));
    this.reads = reads;
    this.spans = Spans.of(reads, layout, ranges, reverse, done);
    this.prefix = bytes.length;
    this.start = start;
    this.after = done == null ? null : Key.wrap(done);
  }

  @Override
  public @Nullable KeyValue next() {
    while (reads.meter().allows(last == null)) {
      if (!keys.hasNext() && !read()) {
        return null;
      }
      last = keys.next();
      byte[] value = values.get(last);
      if (value != null) {
        KeyValue row = new KeyValue(last, value);
        reads.spend(row);
        return row;
      }
      reads.meter().spend(last.size());
    }
    return null;
  }

  /**
   * Whether the record of {@code key} was already taken; its range may still have keys behind it.
   */
  private boolean isDone(Key key) {
    return after != null && key.compareTo(after) == 0;
  }

  /** Reads the next portion, and returns whether there was one. */
  private boolean read() {
    List<Key> portion = new ArrayList<>();
    while (portion.size() < PORTION && spans.hasNext()) {
      Key key = Spans.point(spans.next());
      if (!isDone(key)) {
        portion.add(key);
      }
    }
    keys = portion.iterator();
    if (portion.size() == 1) {
      Key key = portion.getFirst();
      values = reads.tx().get(key).map(value -> Map.of(key, value)).orElse(Map.of());
    } else {
      values = portion.isEmpty() ? Map.of() : reads.tx().getAll(portion);
    }
    return !portion.isEmpty();
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
    return last == null ? start : place(last.unsafeBytes(), 0);
  }
}
