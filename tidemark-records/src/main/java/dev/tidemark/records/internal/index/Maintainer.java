package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.RecordTooLargeException;
import dev.tidemark.records.internal.format.LittleEndian;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one index of one store. Writers, builders and scrubbers all go through the same four
 * things: is it {@link #idempotent}, the {@link #entries} of a record, {@link #add} and {@link
 * #remove}.
 */
public abstract sealed class Maintainer
    permits EverMaintainer,
        ExtremumMaintainer,
        RankMaintainer,
        TextMaintainer,
        TotalMaintainer,
        ValueMaintainer,
        VersionMaintainer {
  private final IndexSpec index;
  private final IndexKeys keys;
  private final Limits limits;
  private final RecordFilter filter;
  private final RecordType<?> type;

  Maintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    this.index = index;
    this.type = type;
    this.keys = keys;
    this.limits = limits;
    this.filter = RecordFilter.of(type, index.filter());
  }

  public final IndexSpec index() {
    return index;
  }

  public final IndexKeys keys() {
    return keys;
  }

  /** Whether adding an entry twice is the same as adding it once. */
  public abstract boolean idempotent();

  /** How what the index holds follows from the records. */
  public abstract Contents contents();

  /** Whether a save that changes none of a record's entries leaves the index alone. */
  boolean ignoresUnchanged() {
    return true;
  }

  /** What {@code record} gives to the index, if the index holds it. */
  public final List<Entry> entries(Object record, Tuple primaryKey) {
    if (!filter.holds(record)) {
      return List.of();
    }
    try {
      return allEntries(record, primaryKey);
    } catch (IllegalArgumentException wrong) {
      throw HugeNumbers.explain(type, index, record, primaryKey, wrong);
    }
  }

  /** What {@code record}, which the index holds, gives to it. */
  abstract List<Entry> allEntries(Object record, Tuple primaryKey);

  /** Refuses {@code entry} if it is too large. */
  public void checkSize(Entry entry, Tuple primaryKey) {
    keyOf(entry, primaryKey);
    if (!entry.value().isEmpty()) {
      checkSize("value", entry.value().pack().length, limits.valueBytes(), primaryKey);
    }
  }

  /**
   * Refuses {@code entry} if the index cannot take it. Reads, and writes nothing: all entries of a
   * save are checked before the first of them is written.
   */
  public void check(Transaction tx, Entry entry, Tuple primaryKey) {}

  /** Adds {@code entry}, which the record with {@code primaryKey} gives. */
  public abstract void add(Transaction tx, Entry entry, Tuple primaryKey);

  /** Takes away {@code entry}, which the record with {@code primaryKey} gave. */
  abstract void remove(Transaction tx, Entry entry, Tuple primaryKey);

  /**
   * Adds what {@code record}, which is stored and not changed by {@code tx}, gives to the index;
   * for builders. Answers whether it gives anything.
   */
  public boolean build(Transaction tx, RecordKey stored, Object record, Tuple primaryKey) {
    List<Entry> entries = entries(record, primaryKey);
    for (Entry entry : entries) {
      add(tx, entry, primaryKey);
    }
    return !entries.isEmpty();
  }

  /** For {@link Contents#ROWS}: the primary key of the record that the row {@code key} is of. */
  public Tuple primaryKeyOf(Tuple key) {
    throw new IllegalStateException("Rows of " + index.name() + " do not belong to one record");
  }

  /** For {@link Contents#ROWS}: where the row of {@code entry}, whose record is stored, is. */
  public Key storedKey(ReadTransaction tx, Entry entry, Tuple primaryKey) {
    return keyOf(entry, primaryKey);
  }

  /** For {@link Contents#ROWS}: what the row of {@code entry} holds. */
  public byte[] storedValue(Entry entry) {
    return entry.value().pack();
  }

  /** For {@link Contents#TOTALS}: the numbers in a row; the bytes if it has none. */
  public Tuple total(byte[] stored) {
    return stored.length == Long.BYTES ? Tuple.of(LittleEndian.number(stored)) : Tuple.of(stored);
  }

  /** Where {@code entry} is. */
  public final Key keyOf(Entry entry, Tuple primaryKey) {
    Key key = keys.entries().pack(entry.key());
    checkSize("key", key.size(), limits.keyBytes(), primaryKey);
    return key;
  }

  /** What the row of {@code entry} holds, if it is not too large. */
  final byte[] valueOf(Entry entry, Tuple primaryKey) {
    byte[] value = entry.value().pack();
    checkSize("value", value.length, limits.valueBytes(), primaryKey);
    return value;
  }

  private void checkSize(String what, int bytes, int limit, Tuple primaryKey) {
    if (bytes > limit) {
      throw new RecordTooLargeException(
          "The entry of the %s %s in the index '%s' would have a %s of %,d bytes; the limit is %,d. Save less in what it indexes, or disable the index; the record can be deleted"
              .formatted(index.type(), primaryKey, index.name(), what, bytes, limit),
          bytes,
          limit);
    }
  }

  /** What turns the entries of {@code before} into those of {@code after}; null for no record. */
  final Change change(@Nullable Object before, @Nullable Object after, Tuple primaryKey) {
    List<Entry> old = before == null ? List.of() : given(before, primaryKey);
    List<Entry> now = after == null ? List.of() : entries(after, primaryKey);
    if (!ignoresUnchanged() || old.isEmpty() || now.isEmpty()) {
      return new Change(this, old, now);
    }
    if (old.equals(now)) {
      return new Change(this, List.of(), List.of());
    }
    return old.size() == 1 && now.size() == 1
        ? new Change(this, old, now)
        : new Change(this, without(old, now), without(now, old));
  }

  /** What a stored {@code record} gave to the index: nothing if it does not fit. */
  private List<Entry> given(Object record, Tuple primaryKey) {
    try {
      return entries(record, primaryKey);
    } catch (RecordTooLargeException unfit) {
      return List.of();
    }
  }

  /**
   * What a save or a delete does to an index.
   *
   * @param maintainer keeps the index
   * @param removed the entries that go
   * @param added the entries that come
   */
  public record Change(Maintainer maintainer, List<Entry> removed, List<Entry> added) {
    /** An entry of which only the value changes has been checked before, but for its size. */
    public void check(Transaction tx, Tuple primaryKey) {
      Set<Tuple> before =
          removed.isEmpty()
              ? Set.of()
              : removed.stream().map(Entry::key).collect(Collectors.toSet());
      for (Entry entry : added) {
        maintainer.checkSize(entry, primaryKey);
        if (!before.contains(entry.key())) {
          maintainer.check(tx, entry, primaryKey);
        }
      }
    }

    /** Takes the old entries away; the record and its version are still the old ones. */
    public void remove(Transaction tx, Tuple primaryKey) {
      for (Entry entry : removed) {
        try {
          maintainer.remove(tx, entry, primaryKey);
        } catch (RecordTooLargeException unfit) {
          // What does not fit an index was never added to it: nothing is to be removed.
        }
      }
    }

    /** Adds the new entries, after the record and its version have been written. */
    public void add(Transaction tx, Tuple primaryKey) {
      for (Entry entry : added) {
        maintainer.add(tx, entry, primaryKey);
      }
    }
  }

  /**
   * The elements of {@code all} that {@code taken} does not have, each as often as it has it more.
   */
  private static List<Entry> without(List<Entry> all, List<Entry> taken) {
    Map<Entry, Integer> left = new HashMap<>();
    taken.forEach(entry -> left.merge(entry, 1, Integer::sum));
    List<Entry> rest = new ArrayList<>();
    for (Entry entry : all) {
      if (left.merge(entry, -1, Integer::sum) < 0) {
        rest.add(entry);
      }
    }
    return rest;
  }
}
