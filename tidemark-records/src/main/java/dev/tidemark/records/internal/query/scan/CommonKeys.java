package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.tuple.Tuple;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The intersection of the primary keys of several accesses, in order. Each access in turn advances
 * to the largest primary key of the others; a key that all reach is common. A place is a primary
 * key, with 1 if it has not been checked itself.
 */
public final class CommonKeys implements KeySource {
  /** The number of entries that an access skips one by one before it seeks. */
  private static final int STEPS = 48;

  private static final byte[] NOTHING = {};

  private final List<Lane> lanes;
  private final KeyLayout layout;

  /** The primary key that the search has reached, and whether it is still to be checked. */
  private byte @Nullable [] target;

  private boolean open;

  /** What {@code lanes}, all in the same direction, have in common from {@code start} on. */
  public CommonKeys(List<Lane> lanes, KeyLayout layout, Tuple start) {
    this.lanes = lanes;
    this.layout = layout;
    this.target = start.isEmpty() ? null : start.getBytes(0);
    this.open = !start.isEmpty() && start.getInt(1) == 1;
  }

  @Override
  public @Nullable KeyValue next() {
    int agreeing = 0;
    int lane = 0;
    while (agreeing < lanes.size()) {
      byte[] found = lanes.get(lane).moveTo(target, open);
      if (found == null) {
        return null;
      }
      agreeing = open && Arrays.equals(found, target) ? agreeing + 1 : 1;
      target = found;
      open = true;
      lane = (lane + 1) % lanes.size();
    }
    open = false;
    return target == null ? null : new KeyValue(layout.recordOf(target), NOTHING);
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
    return Tuple.of(layout.primaryKey(Key.wrap(key)), 0);
  }

  @Override
  public Tuple reached() {
    return target == null ? Tuple.EMPTY : Tuple.of(target, open ? 1 : 0);
  }

  /** One of the accesses. */
  public static final class Lane {
    private final Reads reads;
    private final KeyLayout layout;
    private final Span span;
    private final int fixedColumns;
    private final boolean reverse;
    private Iterator<KeyValue> rows = Collections.emptyIterator();
    private byte @Nullable [] at;
    private boolean started;

    public Lane(Reads reads, KeyLayout layout, Span span, int fixedColumns, boolean reverse) {
      this.reads = reads;
      this.layout = layout;
      this.span = span;
      this.fixedColumns = fixedColumns;
      this.reverse = reverse;
    }

    /**
     * The first primary key that is {@code target} or comes behind it; that comes behind it if it
     * is not {@code open}. Null if there is none or the meter allows no more.
     */
    byte @Nullable [] moveTo(byte @Nullable [] target, boolean open) {
      for (int steps = 0; at == null || isBefore(at, target, open); steps++) {
        if (!reads.meter().allows(!started)) {
          return null;
        }
        if (at == null || steps == STEPS) {
          seek(target, open);
        }
        if (!rows.hasNext()) {
          return null;
        }
        KeyValue row = rows.next();
        reads.spend(row);
        started = true;
        at = layout.primaryKey(layout.recordKey(row.key().unsafeBytes()));
      }
      return at;
    }

    private boolean isBefore(byte[] key, byte @Nullable [] target, boolean open) {
      if (target == null) {
        return false;
      }
      int order = Arrays.compareUnsigned(key, target);
      return (reverse ? order > 0 : order < 0) || (!open && order == 0);
    }

    private void seek(byte @Nullable [] target, boolean open) {
      Span rest = target == null ? span : rest(target, open);
      if (rest.isEmpty()) {
        rows = Collections.emptyIterator();
        return;
      }
      Scan scan = reads.tx().scan(rest.range()).mode(ScanMode.SMALL);
      rows = (reverse ? scan.reverse() : scan).iterator();
    }

    private Span rest(byte[] target, boolean open) {
      byte[] fixed = Arrays.copyOf(span.begin(), span.fixed());
      byte[] bound = layout.bound(target, fixed, fixedColumns, open == reverse);
      return reverse ? span.before(bound) : span.from(bound);
    }
  }
}
