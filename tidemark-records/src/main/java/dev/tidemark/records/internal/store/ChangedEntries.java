package dev.tidemark.records.internal.store;

import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.internal.format.LittleEndian;
import dev.tidemark.records.internal.index.Contents;
import dev.tidemark.records.internal.index.Maintainer.Change;
import dev.tidemark.records.internal.keys.StoreKeys.StatisticsKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import java.util.List;

/**
 * Counts approximately the keys of a type and its indexes that have changed since statistics were
 * collected, so that statistics become stale even if the size stays the same. One change in {@value
 * #EVERY} is counted, as that many. Without statistics nothing is counted.
 */
final class ChangedEntries {
  private static final int EVERY = 16;

  private ChangedEntries() {}

  /**
   * Counts the change of one record.
   *
   * @param comesOrGoes whether the record is inserted or deleted
   */
  static void count(
      Transaction tx,
      Space space,
      SpaceState state,
      String type,
      boolean comesOrGoes,
      List<Change> changes) {
    if (!state.hasStatistics() || space.database().time().chance() * EVERY >= 1) {
      return;
    }
    if (comesOrGoes) {
      add(tx, space.keys().statistics(state.header().typeId(type)), 1);
    }
    for (Change change : changes) {
      int entries = Math.max(change.removed().size(), change.added().size());
      if (entries > 0 && change.maintainer().contents() == Contents.ROWS) {
        add(tx, new StatisticsKeys(change.maintainer().keys().statistics()), entries);
      }
    }
  }

  private static void add(Transaction tx, StatisticsKeys keys, long entries) {
    tx.mutate(MutationType.ADD, keys.changed(), LittleEndian.bytes(entries * EVERY));
  }
}
