package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the ranges of an access in the direction of the scan: over the values of one
 * leading column and, for each of them, over the next column. The values of an unconstrained column
 * are found by seeks when they are needed.
 */
final class Spans {
  private final Reads reads;
  private final AccessRanges ranges;
  private final int keyPrefix;
  private final boolean reverse;
  private final byte @Nullable [] after;

  private Spans(
      Reads reads, AccessRanges ranges, int keyPrefix, boolean reverse, byte @Nullable [] after) {
    this.reads = reads;
    this.ranges = ranges;
    this.keyPrefix = keyPrefix;
    this.reverse = reverse;
    this.after = after;
  }

  /**
   * The ranges of an access, without what comes before {@code after} or at it; null for all of it.
   */
  static Iterator<Span> of(
      Reads reads,
      KeyLayout layout,
      AccessRanges ranges,
      boolean reverse,
      byte @Nullable [] after) {
    if (ranges.areEmpty()) {
      return Collections.emptyIterator();
    }
    byte[] prefix = layout.prefix().unsafeBytes();
    Spans spans = new Spans(reads, ranges, prefix.length, reverse, after);
    return spans.level(0, prefix);
  }

  private Iterator<Span> level(int column, byte[] prefix) {
    if (column == ranges.leadingColumns()) {
      Span span = ranges.span(prefix).after(after, reverse);
      return span.isEmpty() ? Collections.emptyIterator() : Collections.singleton(span).iterator();
    }
    byte[][] choices = ranges.choices(column);
    return new Level(
        column, choices == null ? new Found(column, prefix) : new Given(choices, prefix));
  }

  /** The prefixes of keys up to and including one column. */
  private interface Prefixes {
    byte @Nullable [] next();
  }

  /** The given values of a column. */
  private final class Given implements Prefixes {
    private final byte[][] choices;
    private final byte[] prefix;
    private int taken;

    Given(byte[][] choices, byte[] prefix) {
      this.choices = choices;
      this.prefix = prefix;
    }

    @Override
    public byte @Nullable [] next() {
      if (taken == choices.length) {
        return null;
      }
      int place = reverse ? choices.length - 1 - taken : taken;
      taken++;
      return Packed.concat(prefix, choices[place]);
    }
  }

  /** The existing values of a column, found by seeks. */
  private final class Found implements Prefixes {
    private final int column;
    private Span rest;

    Found(int column, byte[] prefix) {
      this.column = column;
      this.rest =
          new Span(prefix, Packed.concat(prefix, Packed.END), prefix.length).after(after, reverse);
    }

    @Override
    public byte @Nullable [] next() {
      if (rest.isEmpty()) {
        return null;
      }
      Scan scan = reads.tx().scan(rest.range());
      Optional<KeyValue> row = (reverse ? scan.reverse() : scan).first();
      if (row.isEmpty()) {
        return null;
      }
      reads.spend(row.get());
      byte[] key = row.get().key().unsafeBytes();
      byte[] found = Arrays.copyOf(key, Packed.end(key, keyPrefix, column + 1));
      rest = reverse ? rest.before(found) : rest.from(Packed.concat(found, Packed.END));
      return found;
    }
  }

  /** For each value of a column the ranges of the columns behind it. */
  private final class Level implements Iterator<Span> {
    private final int column;
    private final Prefixes prefixes;
    private Iterator<Span> inner = Collections.emptyIterator();

    Level(int column, Prefixes prefixes) {
      this.column = column;
      this.prefixes = prefixes;
    }

    @Override
    public boolean hasNext() {
      while (!inner.hasNext()) {
        byte[] next = prefixes.next();
        if (next == null) {
          return false;
        }
        inner = level(column + 1, next);
      }
      return true;
    }

    @Override
    public Span next() {
      if (!hasNext()) {
        throw new NoSuchElementException("There are no more ranges");
      }
      return inner.next();
    }
  }

  /** The key of the record in a range of one primary key. */
  static Key point(Span span) {
    return Key.wrap(Packed.concat(Arrays.copyOf(span.begin(), span.fixed()), KeyLayout.MAIN));
  }
}
