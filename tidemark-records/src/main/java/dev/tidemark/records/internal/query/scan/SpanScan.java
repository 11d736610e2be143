package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.query.plan.Access;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ranges of an access one after the other. A place is a key without its prefix: the last
 * key that was read, or the end of a range that was completed.
 */
public final class SpanScan implements KeySource {
  private static final int ALL = -1;

  /** The limit above which scans are no longer limited. */
  private static final int CUT_MAX = 4_096;

  private final Reads reads;
  private final KeyLayout layout;
  private final Iterator<Span> spans;
  private final int prefix;
  private final boolean reverse;
  private final @Nullable Ranks ranks;
  private final Tuple start;
  private @Nullable Span span;
  private Iterator<KeyValue> rows = Collections.emptyIterator();

  /** The limit of the next scan, so that few rows are read in vain; 0 for none. */
  private int expected;

  /** The number of rows left in a limited scan, or {@link #ALL}. */
  private int left = ALL;

  private byte @Nullable [] last;

  /**
   * Reads {@code ranges} from {@code start} on.
   *
   * @param expected the probable number of keys that will be taken; 0 if unknown
   * @param ranks counts skipped keys; null if they must be read
   */
  public SpanScan(
      Reads reads,
      KeyLayout layout,
      AccessRanges ranges,
      boolean reverse,
      int expected,
      @Nullable Ranks ranks,
      Tuple start) {
    byte[] bytes = layout.prefix().unsafeBytes();
    byte[] after = start.isEmpty() ? null : Packed.concat(bytes, start.getBytes(0));
    this.reads = reads;
    this.layout = layout;
    this.spans = Spans.of(reads, layout, ranges, reverse, after);
    this.prefix = bytes.length;
    this.reverse = reverse;
    this.expected = expected;
    this.ranks = ranks;
    this.start = start;
  }

  @Override
  public @Nullable KeyValue next() {
    if (!reads.meter().allows(last == null)) {
      return null;
    }
    while (!rows.hasNext()) {
      boolean ended = endSpan();
      Span next = nextSpan();
      if (next == null || (ended && !reads.meter().allows(false))) {
        return null;
      }
      rows = scan(next);
      if (!rows.hasNext()) {
        reads.meter().spend(0);
      }
    }
    KeyValue row = rows.next();
    left = left == ALL ? ALL : left - 1;
    reads.spend(row);
    last = row.key().unsafeBytes();
    return row;
  }

  @Override
  public long pass(long most) {
    long passed = 0;
    if (ranks != null) {
      while (most - passed > Access.READ_RATHER_THAN_COUNT_MAX
          && reads.meter().allows(last == null)) {
        Span rest = span == null ? nextSpan() : span.after(last, reverse);
        if (rest == null) {
          return passed;
        }
        Ranks.Passed counted = ranks.pass(rest, reverse, most - passed);
        last = counted.last().map(Key::unsafeBytes).orElse(last);
        span = counted.entries() < most - passed ? null : rest;
        passed += counted.entries();
        rows = Collections.emptyIterator();
        left = 0;
      }
    }
    passed += KeySource.super.pass(most - passed);
    expected = expected == 0 ? 0 : (int) Math.max(1, expected - passed);
    return passed;
  }

  /**
   * Records the end of a range, so that a cursor progresses over empty ranges, and returns whether
   * there was one.
   */
  private boolean endSpan() {
    if (span == null || left == 0) {
      return false;
    }
    last = reverse ? span.begin() : span.end();
    span = null;
    return true;
  }

  /** The rest of a range whose scan was limited, or the next range. */
  private @Nullable Span nextSpan() {
    if (left == 0 && span != null && last != null) {
      span = span.after(last, reverse);
    } else {
      span = spans.hasNext() ? spans.next() : null;
    }
    return span;
  }

  private Iterator<KeyValue> scan(Span range) {
    left = ALL;
    if (range.isEmpty()) {
      return Collections.emptyIterator();
    }
    Scan scan = reads.tx().scan(range.range());
    if (expected > 0) {
      scan = scan.limit(expected);
      left = expected;
      expected = expected > CUT_MAX ? 0 : 2 * expected;
    }
    return (reverse ? scan.reverse() : scan).iterator();
  }

  @Override
  public void expect(int keys) {
    expected = keys;
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
    return last == null ? start : place(last, 0);
  }
}
