package dev.tidemark.records.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordException;
import dev.tidemark.records.RelationshipException;
import dev.tidemark.records.internal.changes.Capture;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The records of one type that have expired. */
public final class ExpiredRecords<R> {
  private final Space space;
  private final Records<R> records;

  ExpiredRecords(Space space, Records<R> records) {
    this.space = space;
    this.records = records;
  }

  /**
   * Deletes up to {@code max} records that have expired, from {@code place} on. Those that must not
   * be deleted, and those that the index alone says have expired, are passed over; it ends at about
   * {@code keptMax} of them.
   */
  public SweptRecords sweep(Transaction tx, Optional<Key> place, int max, int keptMax) {
    Expiry when = records.expiry();
    if (when == null) {
      return new SweptRecords(0, Optional.empty(), Optional.empty());
    }
    Instant now = records.now();
    Optional<Key> next = place;
    int swept = 0;
    int kept = 0;
    RecordException failure = null;
    while (swept < max && kept < keptMax) {
      int most = max - swept;
      List<Expiry.Over> some = when.over(tx, space, now, next, most);
      for (Expiry.Over each : some) {
        try {
          if (sweepOne(tx, each.primaryKey())) {
            swept++;
            space.activity().sweep();
          } else {
            kept++;
          }
        } catch (RelationshipException forbidden) {
          kept++;
        } catch (RecordException impossible) {
          kept++;
          failure = failure == null ? impossible : failure;
        }
      }
      if (some.size() < most) {
        return new SweptRecords(swept, Optional.empty(), Optional.ofNullable(failure));
      }
      next = Optional.of(some.getLast().entry().next());
    }
    return new SweptRecords(swept, next, Optional.ofNullable(failure));
  }

  private boolean sweepOne(Transaction tx, Tuple pk) {
    SpaceState state = space.writableState(tx);
    return Capture.of(space).sweeping(tx, state, () -> records.writes().removeIfExpired(tx, pk));
  }

  /** Behind the first record from {@code place} on that has expired; empty if there is none. */
  public Optional<Key> behindFirstExpired(ReadTransaction tx, Optional<Key> place) {
    return Optional.ofNullable(records.expiry())
        .flatMap(when -> when.over(tx, space, records.now(), place, 1).stream().findFirst())
        .map(first -> first.entry().next());
  }
}
