package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Merges all ranges of an access in the order of the rest of their keys, behind the leading
 * columns; ties in the order of the ranges. A place is the rest of a key and the number of its
 * range: behind it lie in each range the keys with a later rest, and in later ranges also those
 * with the same.
 */
public final class MergedSpans implements KeySource {
  private final Reads reads;
  private final KeyLayout layout;
  private final boolean reverse;
  private final Tuple start;
  private final PriorityQueue<Head> heads;

  /** For each range how many bytes of its keys are those of the leading columns. */
  private final List<Integer> fixed = new ArrayList<>();

  /** The range that the last key came from; it still has that key in front. */
  private @Nullable Head taken;

  private byte @Nullable [] lastKey;
  private int lastRange;

  public MergedSpans(
      Reads reads, KeyLayout layout, AccessRanges ranges, boolean reverse, Tuple start) {
    this.reads = reads;
    this.layout = layout;
    this.reverse = reverse;
    this.start = start;
    this.heads = new PriorityQueue<>();
    Iterator<Span> spans = Spans.of(reads, layout, ranges, reverse, null);
    for (int number = 0; spans.hasNext(); number++) {
      Span whole = spans.next();
      fixed.add(whole.fixed());
      Span span = rest(whole, number);
      if (!span.isEmpty()) {
        Scan scan = reads.tx().scan(span.range()).mode(ScanMode.SMALL);
        Head head = new Head(number, span.fixed(), (reverse ? scan.reverse() : scan).iterator());
        if (head.advance()) {
          heads.add(head);
        }
      }
    }
  }

  /** The rest of {@code span} behind the start. */
  private Span rest(Span span, int number) {
    if (start.isEmpty()) {
      return span;
    }
    byte[] same = Packed.concat(Arrays.copyOf(span.begin(), span.fixed()), start.getBytes(0));
    boolean withSame = number > start.getInt(1);
    if (reverse) {
      return span.before(withSame ? Packed.concat(same, (byte) 0) : same);
    }
    return span.from(withSame ? same : Packed.concat(same, (byte) 0));
  }

  @Override
  public @Nullable KeyValue next() {
    if (!reads.meter().allows(lastKey == null)) {
      return null;
    }
    if (taken != null && taken.advance()) {
      heads.add(taken);
    }
    taken = heads.poll();
    if (taken == null || taken.row == null) {
      return null;
    }
    KeyValue row = taken.row;
    reads.spend(row);
    lastKey = row.key().unsafeBytes();
    lastRange = taken.number;
    return row;
  }

  @Override
  public Key recordKey(KeyValue row) {
    return layout.recordKey(row.key().unsafeBytes());
  }

  @Override
  public int range() {
    return lastRange;
  }

  @Override
  public Tuple place(byte[] key, int range) {
    return Tuple.of(Arrays.copyOfRange(key, fixed.get(range), key.length), range);
  }

  @Override
  public Tuple reached() {
    return lastKey == null ? start : place(lastKey, lastRange);
  }

  /** The next key of one range. */
  private final class Head implements Comparable<Head> {
    private final int number;
    private final int fixed;
    private final Iterator<KeyValue> rows;
    private @Nullable KeyValue row;

    Head(int number, int fixed, Iterator<KeyValue> rows) {
      this.number = number;
      this.fixed = fixed;
      this.rows = rows;
    }

    boolean advance() {
      row = rows.hasNext() ? rows.next() : null;
      return row != null;
    }

    private byte[] key() {
      if (row == null) {
        throw new IllegalStateException("The range has no more keys");
      }
      return row.key().unsafeBytes();
    }

    @Override
    public int compareTo(Head other) {
      byte[] mine = key();
      byte[] theirs = other.key();
      int order =
          Arrays.compareUnsigned(mine, fixed, mine.length, theirs, other.fixed, theirs.length);
      if (order == 0) {
        return Integer.compare(number, other.number);
      }
      return reverse ? -order : order;
    }
  }
}
