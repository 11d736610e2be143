package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.query.scan.KeySource;
import dev.tidemark.records.internal.query.scan.Reads;
import org.jspecify.annotations.Nullable;

/** Rows that need no loads: records in the order of their keys, or entries that cover a query. */
final class ScannedRows implements Rows {
  private final Reads reads;
  private final KeySource source;
  private final Finder finder;
  private final boolean every;

  /** The place of {@link #before} if that is null. */
  private Tuple start;

  /** The key before {@link #next}, and its range; null for none. */
  private byte @Nullable [] before;

  private int beforeRange;
  private @Nullable Hit next;

  /** Converts rows that were read to hits. */
  interface Finder {
    /** The hit in {@code row}; null if it is none. */
    @Nullable Hit find(KeyValue row);

    /** Whether {@code row} has a hit. */
    boolean finds(KeyValue row);
  }

  /**
   * Reads {@code source}.
   *
   * @param every whether every key has a hit
   */
  ScannedRows(Reads reads, KeySource source, Finder finder, boolean every) {
    this.reads = reads;
    this.source = source;
    this.finder = finder;
    this.every = every;
    this.start = source.reached();
  }

  @Override
  public @Nullable Hit peek() {
    while (next == null) {
      KeyValue row = source.next();
      if (row == null) {
        passAll();
        return null;
      }
      next = finder.find(row);
      if (next == null) {
        pass(row, source.range());
      }
    }
    return next;
  }

  /** The source may have advanced beyond the last key that it returned. */
  private void passAll() {
    start = source.reached();
    before = null;
  }

  private void pass(KeyValue row, int range) {
    before = row.key().unsafeBytes();
    beforeRange = range;
  }

  @Override
  public void take() {
    if (next != null) {
      reads.counts().giveRow();
      pass(next.found(), next.range());
      next = null;
    }
  }

  @Override
  public long pass(long most) {
    long passed = 0;
    if (next != null && most > 0) {
      take();
      passed = 1;
    }
    if (every && passed < most) {
      long more = source.pass(most - passed);
      reads.counts().giveRows(more);
      passAll();
      return passed + more;
    }
    while (passed < most) {
      KeyValue row = source.next();
      if (row == null) {
        passAll();
        break;
      }
      if (finder.finds(row)) {
        reads.counts().giveRow();
        passed++;
      }
      pass(row, source.range());
    }
    return passed;
  }

  @Override
  public Tuple position() {
    return before == null ? start : source.place(before, beforeRange);
  }
}
