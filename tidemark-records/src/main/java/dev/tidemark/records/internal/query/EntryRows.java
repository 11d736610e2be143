package dev.tidemark.records.internal.query;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.internal.TypeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries and the records that they lead to. Records are loaded in portions that grow, so
 * that a caller who takes a few pays for a few. Where it is known how many rows are wanted, a
 * portion is as large as it takes to find the rest of them if records go on to be as they were.
 */
final class EntryRows implements Rows {
  /** The first portion where nobody knows how many are taken: those who want few say so. */
  private static final int FIRST = 32;

  private static final int SMALLEST = 8;
  private static final int LARGEST = 256;

  private final Reads reads;
  private final TypeView<?> view;
  private final KeySource source;
  private final Predicate<KeyValue> onEntry;
  private final RecordTest onRecord;
  private final Predicate<Hit.Loaded> isFirst;

  /** What has been scanned and is to be loaded. */
  private final List<KeyValue> entries = new ArrayList<>();

  private final List<Key> keys = new ArrayList<>();
  private final List<Integer> ranges = new ArrayList<>();

  /** What has been loaded and not taken. */
  private final List<Hit> hits = new ArrayList<>();

  /** How many rows will be taken; 0 if nobody knows. */
  private final int expected;

  private int loaded;
  private int found;
  private int taken;
  private int portion;
  private Tuple behind;
  private @Nullable Hit last;

  /**
   * Reads the entries of {@code source}.
   *
   * @param onEntry asked of each entry before its record is loaded
   * @param onRecord asked of each record
   * @param isFirst whether a record comes with this entry, or came with another one
   * @param expected how many rows will be taken; 0 if nobody knows
   * @param candidates how many records have to be loaded for that, probably
   */
  EntryRows(
      Reads reads,
      TypeView<?> view,
      KeySource source,
      Predicate<KeyValue> onEntry,
      RecordTest onRecord,
      Predicate<Hit.Loaded> isFirst,
      int expected,
      int candidates) {
    this.reads = reads;
    this.view = view;
    this.source = source;
    this.onEntry = onEntry;
    this.onRecord = onRecord;
    this.isFirst = isFirst;
    this.expected = expected;
    this.portion = expected == 0 ? FIRST : Math.min(candidates, LARGEST);
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

  /** Scans and loads a portion; answers whether there was anything to scan. */
  private boolean fill() {
    hits.clear();
    taken = 0;
    if (expected > 0) {
      source.expect(portion < LARGEST ? portion : 0);
    }
    boolean scanned = scan();
    load();
    loaded += keys.size();
    found += hits.size();
    portion = nextPortion();
    if (hits.isEmpty()) {
      last = null;
      behind = source.reached();
    }
    return scanned;
  }

  private int nextPortion() {
    if (expected == 0 || found == 0) {
      return Math.min(2 * portion, LARGEST);
    }
    long rest = Math.max(1, expected - found);
    return Math.clamp(rest * loaded / found, SMALLEST, LARGEST);
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
        if (keys.size() == portion) {
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

  @Override
  public Tuple position() {
    return last == null ? behind : source.place(last.found().key().unsafeBytes(), last.range());
  }
}
