package dev.tidemark.records.maintenance;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.store.Records;
import dev.tidemark.records.internal.store.SweptRecords;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Deletes expired records of all types of a space, turn by turn. The next turn resumes one that
 * ended early, so that many records that must not be deleted do not hide the others. Used by one
 * thread.
 */
final class Sweeper {
  /** The largest number of failures that one turn reports. */
  private static final int FAILURES_MAX = 10;

  private final RecordSpace space;
  private final int perTransactionMax;

  /** The keys from which the next turn resumes, by type. */
  private final Map<String, Key> places = new HashMap<>();

  private int perTransaction;

  Sweeper(RecordSpace space, int perTransactionMax) {
    this.space = space;
    this.perTransactionMax = perTransactionMax;
    this.perTransaction = perTransactionMax;
  }

  /** Sweeps a part of every type, even if another type fails. */
  UpkeepEvent.Swept turn(BooleanSupplier over) {
    perTransaction = (int) Math.min(perTransactionMax, perTransaction * 2L);
    List<RuntimeException> failures = new ArrayList<>();
    long swept = 0;
    for (RecordType<?> type : space.schema().types()) {
      if (type.spec().expiry().isPresent()) {
        try {
          swept += sweep(type, over, failures);
        } catch (RuntimeException failure) {
          places.remove(type.name());
          failures.add(failure);
        }
      }
    }
    if (!failures.isEmpty()) {
      RuntimeException first = failures.removeFirst();
      failures.forEach(first::addSuppressed);
      throw first;
    }
    return new UpkeepEvent.Swept(swept, places.isEmpty());
  }

  private long sweep(RecordType<?> kind, BooleanSupplier over, List<RuntimeException> failures) {
    String type = kind.name();
    Records<?> records = Records.of(Bridge.internals(space), kind);
    Optional<Key> place = Optional.ofNullable(places.get(type));
    long swept = 0;
    do {
      SweptRecords now = sweepSome(records, place);
      swept += now.deleted();
      if (failures.size() < FAILURES_MAX) {
        now.failure().ifPresent(failures::add);
      }
      place = now.next();
      place.ifPresentOrElse(next -> places.put(type, next), () -> places.remove(type));
    } while (place.isPresent() && !over.getAsBoolean());
    return swept;
  }

  /**
   * Runs one transaction, with fewer records if the store refuses it. A record that one transaction
   * cannot delete together with its dependent records is skipped and reported.
   */
  private SweptRecords sweepSome(Records<?> records, Optional<Key> place) {
    Database database = space.database();
    while (true) {
      int most = perTransaction;
      try {
        return database.<SweptRecords, RuntimeException>transact(
            tx ->
                records
                    .expired()
                    .sweep(tx, place, most, Math.clamp(most * 10L, 1, Integer.MAX_VALUE)));
      } catch (LimitExceededException | TransactionTooOldException tooMuch) {
        if (most == 1) {
          return new SweptRecords(
              0,
              database.read(tx -> records.expired().behindFirstExpired(tx, place)),
              Optional.of(tooMuch));
        }
        perTransaction = most / 2;
      }
    }
  }
}
