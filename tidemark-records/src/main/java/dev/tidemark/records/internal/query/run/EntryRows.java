package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.query.scan.KeySource;
import dev.tidemark.records.internal.query.scan.Portions;
import dev.tidemark.records.internal.query.scan.Reads;
import dev.tidemark.records.internal.space.TypeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads entries and, in {@link Portions}, the records that they lead to. */
final class EntryRows implements Rows {
  private final Reads reads;
  private final TypeView<?> view;
  private final KeySource source;
  private final Predicate<KeyValue> onEntry;
  private final RecordTest onRecord;
  private final Predicate<Hit.Loaded> isFirst;
  private final boolean every;

  /** The scanned entries of the current portion. */
  private final List<KeyValue> entries = new ArrayList<>();

  private final List<Key> keys = new ArrayList<>();
  private final List<Integer> ranges = new ArrayList<>();

  /** The loaded hits that were not taken. */
  private final List<Hit> hits = new ArrayList<>();

  /** Whether the number of rows that will be taken is known. */
  private final boolean limited;

  private final Portions portions;
  private int taken;
  private Tuple behind;
  private @Nullable Hit last;

  /**
   * Reads the entries of {@code source}.
   *
   * @param onEntry the test of each entry before its record is loaded
   * @param onRecord the test of each record
   * @param isFirst whether this is the first of the entries of a record
   * @param every whether every entry leads to a row
   * @param expected the number of rows that will be taken; 0 if unknown
   * @param candidates the probable number of records to load for them
   */
  EntryRows(
      Reads reads,
      TypeView<?> view,
      KeySource source,
      Predicate<KeyValue> onEntry,
      RecordTest onRecord,
      Predicate<Hit.Loaded> isFirst,
      boolean every,
      int expected,
      int candidates) {
    this.reads = reads;
    this.view = view;
    this.source = source;
    this.onEntry = onEntry;
    this.onRecord = onRecord;
    this.isFirst = isFirst;
    this.every = every;
    this.limited = expected > 0;
    this.portions = new Portions(expected, candidates, reads.meter().limitsBytes());
    this.behind = source.reached();
  }

  @Override
  public @Nullable Hit peek() {
    while (taken == hits.size()) {
      if (!fill()) {
        return null;
      }
    }
    return hits.get(taken);
  }

  /** Scans and loads a portion, and returns whether there was anything to scan. */
  private boolean fill() {
    hits.clear();
    taken = 0;
    if (limited) {
      source.expect(portions.size() < Portions.LARGEST ? portions.size() : 0);
    }
    boolean scanned = scan();
    load();
    portions.add(keys.size(), hits.size());
    if (hits.isEmpty()) {
      last = null;
      behind = source.reached();
    }
    return scanned;
  }

  private boolean scan() {
    entries.clear();
    keys.clear();
    ranges.clear();
    KeyValue row = source.next();
    boolean any = row != null;
    while (row != null) {
      if (onEntry.test(row)) {
        entries.add(row);
        keys.add(source.recordKey(row));
        ranges.add(source.range());
        if (keys.size() == portions.size()) {
          return true;
        }
      }
      row = source.next();
    }
    return any;
  }

  private void load() {
    if (keys.isEmpty()) {
      return;
    }
    reads.counts().load(keys.size());
    ReadTransaction tx = reads.tx();
    if (keys.size() == 1) {
      tx.get(keys.getFirst()).ifPresent(value -> add(0, value));
      return;
    }
    Map<Key, byte[]> values = tx.getAll(keys);
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = values.get(keys.get(i));
      if (value != null) {
        add(i, value);
      }
    }
  }

  private void add(int place, byte[] value) {
    reads.meter().load(value.length);
    Key key = keys.get(place);
    boolean plain = TypeView.isPlain(value);
    byte[] wire = plain ? value : view.wire(reads.tx(), key, value);
    int begin = plain ? 1 : 0;
    if (onRecord.holds(wire, begin)) {
      Hit.Loaded hit = new Hit.Loaded(key, entries.get(place), ranges.get(place), wire, begin);
      if (isFirst.test(hit)) {
        hits.add(hit);
      }
    }
  }

  @Override
  public void take() {
    reads.counts().giveRow();
    last = hits.get(taken++);
    if (taken == hits.size()) {
      last = null;
      behind = source.reached();
    }
  }

  /** Skips rows without loading their records if every entry is a row. */
  @Override
  public long pass(long most) {
    long loaded = Rows.super.pass(every ? Math.min(most, hits.size() - taken) : most);
    if (!every || loaded == most) {
      return loaded;
    }
    long more = source.pass(most - loaded);
    reads.counts().giveRows(more);
    portions.pass(more);
    last = null;
    behind = source.reached();
    return loaded + more;
  }

  @Override
  public Tuple position() {
    return last == null ? behind : source.place(last.found().key().unsafeBytes(), last.range());
  }
}
