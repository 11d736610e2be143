package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordTooLargeException;
import dev.tidemark.records.internal.format.LittleEndian;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.Columns.TooManyCombinations;
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
 * Maintains one index of one store. Writers, builders and scrubbers share its operations: the
 * {@link #entries} of a record, {@link #add} and {@link #remove}, and whether these are {@link
 * #idempotent}.
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

  /** Whether adding an entry twice has the same effect as adding it once. */
  public abstract boolean idempotent();

  /** How the rows of the index derive from the records. */
  public abstract Contents contents();

  /** Whether a save that changes none of a record's entries writes nothing to the index. */
  boolean ignoresUnchanged() {
    return true;
  }

  /** The entries of {@code record}; none if the filter of the index excludes it. */
  public final List<Entry> entries(Object record, Tuple primaryKey) {
    if (!filter.holds(record)) {
      return List.of();
    }
    try {
      return allEntries(record, primaryKey);
    } catch (IllegalArgumentException wrong) {
      throw HugeNumbers.explain(type, index, record, primaryKey, wrong);
    } catch (TooManyCombinations many) {
      throw new RecordTooLargeException(
          "The %s %s would have %,d entries in the index '%s', one for each combination of the elements of its columns; the limit is %,d. Save fewer elements, or disable the index; the record can be deleted"
              .formatted(
                  type.name(), primaryKey, many.count(), index.name(), Columns.COMBINATIONS_MAX),
          many.count(),
          Columns.COMBINATIONS_MAX);
    }
  }

  /** The entries of {@code record}, which passes the filter. */
  abstract List<Entry> allEntries(Object record, Tuple primaryKey);

  /** Refuses {@code entry} if it is too large. */
  public void checkSize(Entry entry, Tuple primaryKey) {
    keyOf(entry, primaryKey);
    if (!entry.value().isEmpty()) {
      checkSize("value", entry.value().pack().length, limits.valueBytes(), primaryKey);
    }
  }

  /**
   * Checks the size of {@code entry}, and returns its row; null if the index computes the row when
   * it writes it.
   */
  @Nullable KeyValue checkedRow(Entry entry, Tuple primaryKey) {
    checkSize(entry, primaryKey);
    return null;
  }

  /** The row of {@code entry}, checked against the limits. */
  final KeyValue rowOf(Entry entry, Tuple primaryKey) {
    return new KeyValue(keyOf(entry, primaryKey), valueOf(entry, primaryKey));
  }

  private void add(Transaction tx, Entry entry, @Nullable KeyValue row, Tuple primaryKey) {
    if (row == null) {
      add(tx, entry, primaryKey);
    } else {
      tx.set(row.key(), row.value());
    }
  }

  /**
   * Refuses {@code entry} if the index cannot take it. Reads, and writes nothing: all entries of a
   * save are checked before the first of them is written.
   */
  public void check(Transaction tx, Entry entry, Tuple primaryKey) {}

  /** Adds {@code entry} of the record with {@code primaryKey}. */
  public abstract void add(Transaction tx, Entry entry, Tuple primaryKey);

  /** Removes {@code entry} of the record with {@code primaryKey}. */
  abstract void remove(Transaction tx, Entry entry, Tuple primaryKey);

  /**
   * Adds the entries of {@code record}, which is stored and not changed by {@code tx}; for
   * builders. Returns whether it has any.
   *
   * @throws RecordTooLargeException if an entry is too large
   */
  public boolean build(Transaction tx, RecordKey stored, Object record, Tuple primaryKey) {
    List<Entry> entries = entries(record, primaryKey);
    for (Entry entry : entries) {
      add(tx, entry, checkedRow(entry, primaryKey), primaryKey);
    }
    return !entries.isEmpty();
  }

  /** For {@link Contents#ROWS}: the primary key of the record of the row {@code key}. */
  public Tuple primaryKeyOf(Tuple key) {
    throw new IllegalStateException("Rows of " + index.name() + " do not belong to one record");
  }

  /** For {@link Contents#ROWS}: the key of the row of {@code entry}, whose record is stored. */
  public Key storedKey(ReadTransaction tx, Entry entry, Tuple primaryKey) {
    return keyOf(entry, primaryKey);
  }

  /** For {@link Contents#ROWS}: the value of the row of {@code entry}. */
  public byte[] storedValue(Entry entry) {
    return entry.value().pack();
  }

  /** For {@link Contents#TOTALS}: the numbers in a row; its bytes if they are not numbers. */
  public Tuple total(byte[] stored) {
    return stored.length == Long.BYTES ? Tuple.of(LittleEndian.number(stored)) : Tuple.of(stored);
  }

  /** The key of {@code entry}, checked against the limit. */
  public final Key keyOf(Entry entry, Tuple primaryKey) {
    Key key = keys.entries().pack(entry.key());
    checkSize("key", key.size(), limits.keyBytes(), primaryKey);
    return key;
  }

  /** The value of the row of {@code entry}, checked against the limit. */
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

  /** The difference between the entries of {@code before} and {@code after}; null for no record. */
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

  /** The entries that a stored {@code record} has in the index: none if it does not fit. */
  private List<Entry> given(Object record, Tuple primaryKey) {
    try {
      return entries(record, primaryKey);
    } catch (RecordTooLargeException unfit) {
      return List.of();
    }
  }

  /** The change that a save or a delete makes to an index. */
  public static final class Change {
    private final Maintainer maintainer;
    private final List<Entry> removed;
    private final List<Entry> added;

    /** The rows of the added entries, which the check packs and the write uses. */
    private final @Nullable KeyValue[] rows;

    Change(Maintainer maintainer, List<Entry> removed, List<Entry> added) {
      this.maintainer = maintainer;
      this.removed = removed;
      this.added = added;
      this.rows = new @Nullable KeyValue[added.size()];
    }

    /** Maintains the index. */
    public Maintainer maintainer() {
      return maintainer;
    }

    /** The entries to remove. */
    public List<Entry> removed() {
      return removed;
    }

    /** The entries to add. */
    public List<Entry> added() {
      return added;
    }

    /**
     * Checks the entries to add. If only the value of an entry changes, its key was checked before.
     */
    public void check(Transaction tx, Tuple primaryKey) {
      Set<Tuple> before = keys(removed);
      for (int i = 0; i < rows.length; i++) {
        Entry entry = added.get(i);
        rows[i] = maintainer.checkedRow(entry, primaryKey);
        if (!before.contains(entry.key())) {
          maintainer.check(tx, entry, primaryKey);
        }
      }
    }

    /** Most changes are of one entry, for which a set of many takes too long. */
    private static Set<Tuple> keys(List<Entry> entries) {
      return switch (entries.size()) {
        case 0 -> Set.of();
        case 1 -> Set.of(entries.getFirst().key());
        default -> entries.stream().map(Entry::key).collect(Collectors.toSet());
      };
    }

    /** Removes the old entries, before the record and its version are written. */
    public void remove(Transaction tx, Tuple primaryKey) {
      for (Entry entry : removed) {
        try {
          maintainer.remove(tx, entry, primaryKey);
        } catch (RecordTooLargeException unfit) {
          // An entry that does not fit was never added.
        }
      }
    }

    /** Adds the new entries, after the record and its version have been written. */
    public void add(Transaction tx, Tuple primaryKey) {
      for (int i = 0; i < rows.length; i++) {
        maintainer.add(tx, added.get(i), rows[i], primaryKey);
      }
    }
  }

  /** The multiset difference of {@code all} and {@code taken}. */
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
