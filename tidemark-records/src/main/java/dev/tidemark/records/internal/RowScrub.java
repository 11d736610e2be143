package dev.tidemark.records.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.Finding;
import dev.tidemark.records.internal.ScrubProgress.Pass;
import dev.tidemark.records.internal.StoreKeys.RecordKey;
import dev.tidemark.records.internal.StoreKeys.TypeKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * All is read as a snapshot, so a scrub that repairs nothing conflicts with nobody. A repair makes the
 * transaction conflict with whoever writes the record that the row was judged by; a writer changes rows of
 * an index only together with their record, so nothing else has to be watched.
 */

/** Compares the rows of an index with the records, each of which has its own rows. */
final class RowScrub {
  private final Maintainer index;
  private final TypeKeys keys;
  private final StoredRecords<?> stored;
  private final boolean repairs;

  private record Expected(StoredRow row, Entry entry) {}

  RowScrub(Maintainer index, TypeKeys keys, StoredRecords<?> stored, boolean repairs) {
    this.index = index;
    this.keys = keys;
    this.stored = stored;
    this.repairs = repairs;
  }

  /** Looks whether records from {@code from} on, at most {@code limit}, have their entries. */
  ScrubStep records(Transaction tx, Key from, int limit) {
    StoredRows rows =
        new StoredRows(
            tx.snapshot(), keys, stored, KeyRange.of(from, IndexStates.EVERY_RECORD.end()));
    Map<Key, Expected> expected = new LinkedHashMap<>();
    int scanned = 0;
    StoredRow last = null;
    while (scanned < limit && rows.hasNext()) {
      StoredRow row = rows.next();
      for (Entry entry : index.entries(row.record(), row.primaryKey())) {
        expected.put(keyOf(tx, entry, row.primaryKey()), new Expected(row, entry));
      }
      last = row;
      scanned++;
    }
    List<Finding> findings = compare(tx, expected);
    ScrubProgress next =
        last == null || scanned < limit
            ? ScrubProgress.at(Pass.ROWS, index.keys().entries().prefix())
            : ScrubProgress.at(Pass.RECORDS, IndexWriter.progressBehind(last.primaryKey()));
    return new ScrubStep(next, scanned, findings, repairs ? findings.size() : 0);
  }

  private List<Finding> compare(Transaction tx, Map<Key, Expected> expected) {
    Map<Key, byte[]> found = tx.snapshot().getAll(expected.keySet());
    List<Finding> findings = new ArrayList<>();
    expected.forEach(
        (key, wanted) -> {
          byte[] there = found.get(key);
          byte[] value = index.storedValue(wanted.entry());
          if (there != null && Arrays.equals(there, value)) {
            return;
          }
          String name = index.index().name();
          Tuple entry = wanted.entry().key();
          Tuple primaryKey = wanted.row().primaryKey();
          findings.add(
              there == null
                  ? new Finding.Missing(name, entry, primaryKey)
                  : new Finding.WrongValue(name, entry, primaryKey));
          if (repairs) {
            conflictOn(tx, wanted.row().key());
            tx.set(key, value);
          }
        });
    return findings;
  }

  /** Looks whether rows from {@code from} on, at most {@code limit}, belong to records. */
  ScrubStep rows(Transaction tx, Key from, int limit) {
    Key end = index.keys().entries().prefixRange().end();
    Map<Key, Optional<Tuple>> owners = new LinkedHashMap<>();
    for (KeyValue row : tx.snapshot().scan(KeyRange.of(from, end)).limit(limit)) {
      owners.put(row.key(), owner(row.key()));
    }
    Map<Key, byte[]> mains =
        tx.snapshot()
            .getAll(
                owners.values().stream()
                    .flatMap(Optional::stream)
                    .map(primaryKey -> keys.record(primaryKey).main())
                    .distinct()
                    .toList());
    List<Finding> findings = new ArrayList<>();
    Key last = from;
    for (Map.Entry<Key, Optional<Tuple>> row : owners.entrySet()) {
      last = row.getKey();
      Finding wrong = judge(tx, row.getKey(), row.getValue().orElse(null), mains);
      if (wrong != null) {
        findings.add(wrong);
        if (repairs) {
          row.getValue().ifPresent(primaryKey -> tx.addReadConflict(keys.record(primaryKey).all()));
          tx.clear(row.getKey());
        }
      }
    }
    ScrubProgress next =
        owners.size() < limit ? ScrubProgress.DONE : ScrubProgress.at(Pass.ROWS, last.next());
    return new ScrubStep(next, owners.size(), findings, repairs ? findings.size() : 0);
  }

  private @Nullable Finding judge(
      Transaction tx, Key row, @Nullable Tuple primaryKey, Map<Key, byte[]> mains) {
    String name = index.index().name();
    if (primaryKey == null) {
      return new Finding.Dangling(name, row);
    }
    RecordKey key = keys.record(primaryKey);
    byte[] main = mains.get(key.main());
    if (main == null) {
      return new Finding.Dangling(name, row);
    }
    Object record = stored.decode(tx.snapshot(), key, main, primaryKey).record();
    boolean given =
        index.entries(record, primaryKey).stream()
            .anyMatch(entry -> keyOf(tx, entry, primaryKey).equals(row));
    return given ? null : new Finding.Stale(name, row, primaryKey);
  }

  private Key keyOf(Transaction tx, Entry entry, Tuple primaryKey) {
    return index.storedKey(tx.snapshot(), entry, primaryKey);
  }

  private static void conflictOn(Transaction tx, RecordKey record) {
    tx.addReadConflict(record.main());
    tx.addReadConflict(record.version());
  }

  /** Whose a row is. A row that the index cannot have made is nobody's. */
  private Optional<Tuple> owner(Key row) {
    try {
      return Optional.of(index.primaryKeyOf(index.keys().entries().unpack(row)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ClassCastException foreign) {
      return Optional.empty();
    }
  }
}
