package dev.tidemark.records.internal.scrub;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordTooLargeException;
import dev.tidemark.records.RefusedRecordException;
import dev.tidemark.records.internal.index.Entry;
import dev.tidemark.records.internal.index.IndexWriter;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.index.ValueMaintainer;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.scrub.ScrubProgress.Pass;
import dev.tidemark.records.internal.space.IndexStates;
import dev.tidemark.records.internal.space.StoredRecords;
import dev.tidemark.records.internal.space.StoredRow;
import dev.tidemark.records.internal.space.StoredRows;
import dev.tidemark.records.internal.work.Allowance;
import dev.tidemark.records.maintenance.Finding;
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

/** Compares indexes whose rows belong to one record each with the records. */
final class RowScrub {
  private static final int AT_A_TIME = 50;
  private static final int BYTES_AT_A_TIME = 100_000;

  private final Maintainer index;
  private final TypeKeys keys;
  private final StoredRecords<?> stored;
  private final boolean repairs;
  private final Runnable onShared;

  private record Expected(StoredRow<?> row, Entry entry) {}

  /**
   * @param onShared called when a repair finds two records with the same unique values
   */
  RowScrub(
      Maintainer index,
      TypeKeys keys,
      StoredRecords<?> stored,
      boolean repairs,
      Runnable onShared) {
    this.index = index;
    this.keys = keys;
    this.stored = stored;
    this.repairs = repairs;
    this.onShared = onShared;
  }

  /** Checks that records from {@code from} on have their entries. */
  ScrubStep records(Transaction tx, Key from, Allowance allowance) {
    KeyRange range = keys.records(KeyRange.of(from, IndexStates.EVERY_RECORD.end()));
    StoredRows<?> rows = new StoredRows<>(tx.snapshot(), keys, stored, range, false);
    List<Finding> findings = new ArrayList<>();
    Tuple last = null;
    boolean more = true;
    while (more && !allowance.isSpent()) {
      List<StoredRow<?>> some = new ArrayList<>();
      try {
        takeSome(rows, allowance.recordsLeft(), some);
        more = rows.hasNext();
        last = some.isEmpty() ? last : some.getLast().primaryKey();
        findings.addAll(compare(tx, some));
      } catch (RefusedRecordException refused) {
        // The step ends behind the record, so that many of them do not make it long.
        findings.addAll(compare(tx, some));
        findings.add(unfit(refused.primaryKey(), refused));
        allowance.spend();
        return step(findings, behind(refused.primaryKey()), allowance.spentRecords() + some.size());
      }
      some.forEach(row -> allowance.spend());
    }
    ScrubProgress next =
        last == null || !more
            ? ScrubProgress.at(Pass.ROWS, index.keys().entries().prefix())
            : behind(last);
    return step(findings, next, allowance.spentRecords());
  }

  private static ScrubProgress behind(Tuple record) {
    return ScrubProgress.at(Pass.RECORDS, IndexWriter.progressBehind(record));
  }

  private ScrubStep step(List<Finding> findings, ScrubProgress next, int looked) {
    long repaired =
        repairs ? findings.stream().filter(each -> !(each instanceof Finding.Unfit)).count() : 0;
    return new ScrubStep(next, looked, findings, repaired);
  }

  private Finding unfit(Tuple primaryKey, RuntimeException why) {
    return new Finding.Unfit(index.index().name(), primaryKey, String.valueOf(why.getMessage()));
  }

  /** Takes the next records; few if they are large, because each may have many entries. */
  private static void takeSome(StoredRows<?> rows, int most, List<StoredRow<?>> some) {
    long bytes = 0;
    while (some.size() < Math.min(most, AT_A_TIME) && bytes < BYTES_AT_A_TIME && rows.hasNext()) {
      StoredRow<?> row = rows.next();
      some.add(row);
      bytes += row.bytes();
    }
  }

  private List<Finding> compare(Transaction tx, List<StoredRow<?>> rows) {
    Map<Key, Expected> expected = new LinkedHashMap<>();
    List<Finding> unfit = new ArrayList<>();
    for (StoredRow<?> row : rows) {
      try {
        for (Entry entry : index.entries(row.record(), row.primaryKey())) {
          index.checkSize(entry, row.primaryKey());
          expected.put(keyOf(tx, entry, row.primaryKey()), new Expected(row, entry));
        }
      } catch (RecordTooLargeException tooLarge) {
        unfit.add(unfit(row.primaryKey(), tooLarge));
      }
    }
    List<Finding> findings = compare(tx, expected);
    findings.addAll(unfit);
    return findings;
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
            noteIfShared(tx, wanted);
            tx.set(key, value);
          }
        });
    return findings;
  }

  /** Another record may have taken the values while the entry was missing. */
  private void noteIfShared(Transaction tx, Expected wanted) {
    if (index instanceof ValueMaintainer values
        && values.noteIfShared(tx, wanted.entry(), wanted.row().primaryKey())) {
      onShared.run();
    }
  }

  /** Checks that rows from {@code from} on belong to records. */
  ScrubStep rows(Transaction tx, Key from, Allowance allowance) {
    Key end = index.keys().entries().prefixRange().end();
    List<Finding> findings = new ArrayList<>();
    Key at = from;
    boolean more = true;
    while (more && !allowance.isSpent()) {
      int most = Math.min(AT_A_TIME, allowance.recordsLeft());
      Map<Key, Optional<Tuple>> owners = new LinkedHashMap<>();
      for (KeyValue row : tx.snapshot().scan(KeyRange.of(at, end)).limit(most)) {
        owners.put(row.key(), owner(row.key()));
        at = row.key().next();
      }
      findings.addAll(judge(tx, owners));
      owners.keySet().forEach(row -> allowance.spend());
      more = owners.size() == most;
    }
    ScrubProgress next = more ? ScrubProgress.at(Pass.ROWS, at) : ScrubProgress.DONE;
    return new ScrubStep(next, allowance.spentRecords(), findings, repairs ? findings.size() : 0);
  }

  private List<Finding> judge(Transaction tx, Map<Key, Optional<Tuple>> owners) {
    Map<Key, byte[]> mains =
        tx.snapshot()
            .getAll(
                owners.values().stream()
                    .flatMap(Optional::stream)
                    .map(primaryKey -> keys.record(primaryKey).main())
                    .distinct()
                    .toList());
    List<Finding> findings = new ArrayList<>();
    for (Map.Entry<Key, Optional<Tuple>> row : owners.entrySet()) {
      Finding wrong = judge(tx, row.getKey(), row.getValue().orElse(null), mains);
      if (wrong != null) {
        findings.add(wrong);
        if (repairs) {
          row.getValue().ifPresent(primaryKey -> tx.addReadConflict(keys.record(primaryKey).all()));
          tx.clear(row.getKey());
        }
      }
    }
    return findings;
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
    boolean given;
    try {
      Object record = stored.decode(tx.snapshot(), key, main, primaryKey).record();
      given =
          index.entries(record, primaryKey).stream()
              .anyMatch(entry -> keyOf(tx, entry, primaryKey).equals(row));
    } catch (RefusedRecordException | RecordTooLargeException unfit) {
      return null; // The pass over the records has reported it.
    }
    return given ? null : new Finding.Stale(name, row, primaryKey);
  }

  private Key keyOf(Transaction tx, Entry entry, Tuple primaryKey) {
    return index.storedKey(tx.snapshot(), entry, primaryKey);
  }

  private static void conflictOn(Transaction tx, RecordKey record) {
    tx.addReadConflict(record.main());
    tx.addReadConflict(record.version());
  }

  /** The record of a row; empty for a row that the index cannot have made. */
  private Optional<Tuple> owner(Key row) {
    try {
      return Optional.of(index.primaryKeyOf(index.keys().entries().unpack(row)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ClassCastException foreign) {
      return Optional.empty();
    }
  }
}
