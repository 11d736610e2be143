package dev.tidemark.records.internal.scrub;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.MalformedTupleException;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.build.BuildBatch;
import dev.tidemark.records.internal.build.BuildBatch.Outcome;
import dev.tidemark.records.internal.format.Header.IndexInfo;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.scrub.ScrubProgress.Pass;
import dev.tidemark.records.internal.space.IndexStates;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.internal.work.Allowance;
import dev.tidemark.records.maintenance.Finding;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Records change while they are counted, so their totals at one moment cannot be read off. Instead a copy
 * of the index is built, by the same rules as any index under construction: once it is complete, writers
 * have kept both in the same transactions, and every difference between the two is a fault of the old
 * one. To repair it, the copy takes its place.
 */

/** Counts the totals of an index into a copy and compares the two. */
final class TotalScrub {
  private final Space space;
  private final String name;
  private final BuildBatch batch;
  private final boolean repairs;

  TotalScrub(Space space, RecordType<?> type, String name, boolean repairs) {
    this.space = space;
    this.name = name;
    this.batch = new BuildBatch(space, type, state -> state.copy(name).stream().toList());
    this.repairs = repairs;
  }

  /** Counts some records. */
  ScrubStep count(Transaction tx, SpaceState state, Allowance allowance) {
    if (state.copy(name).isEmpty()) {
      int id = state.header().nextId();
      space.change(tx, state.header().withIdTaken().with(name, info -> info.withCopy(id)));
      return step(ScrubProgress.at(Pass.COUNT, Key.EMPTY), 0);
    }
    BuildBatch.Result result = batch.run(tx, IndexStates.EVERY_RECORD, false, allowance);
    return step(
        ScrubProgress.at(
            result.outcome() == Outcome.COMPLETE ? Pass.COMPARE : Pass.COUNT, Key.EMPTY),
        result.records());
  }

  private static ScrubStep step(ScrubProgress next, long scanned) {
    return new ScrubStep(next, scanned, List.of(), 0);
  }

  /** Compares groups from {@code from} on, at most {@code limit} of either copy. */
  ScrubStep compare(Transaction tx, SpaceState state, ScrubProgress from, int limit) {
    Maintainer old = state.maintainer(name);
    Maintainer copy = state.copy(name).orElse(null);
    if (copy == null) {
      return step(ScrubProgress.BEGIN, 0);
    }
    Portion stored = Portion.read(tx, part(from, old.keys()), from.next(), limit);
    Portion counted = Portion.read(tx, part(from, copy.keys()), from.next(), limit);
    Key until = stored.until().compareTo(counted.until()) < 0 ? stored.until() : counted.until();
    TreeMap<Key, byte[]> all = new TreeMap<>(stored.rows());
    all.putAll(counted.rows());
    List<Finding> findings = new ArrayList<>();
    for (Key group : all.headMap(until).keySet()) {
      byte[] before = stored.rows().get(group);
      byte[] after = counted.rows().get(group);
      if (!isSame(before, after)) {
        findings.add(
            new Finding.WrongTotal(name, group(group), total(old, before), total(copy, after)));
      }
    }
    long differences = from.differences() + findings.size();
    int scanned = all.headMap(until).size();
    if (!until.equals(Key.END)) {
      return new ScrubStep(
          new ScrubProgress(from.pass(), until, differences), scanned, findings, 0);
    }
    return from.pass() == Pass.COMPARE
        ? new ScrubStep(
            new ScrubProgress(Pass.COMPARE_SECONDARY, Key.EMPTY, differences), scanned, findings, 0)
        : new ScrubStep(ScrubProgress.DONE, scanned, findings, finish(tx, state, differences));
  }

  private static Subspace part(ScrubProgress from, IndexKeys keys) {
    return from.pass() == Pass.COMPARE ? keys.entries() : keys.secondary();
  }

  /**
   * Rows of an index from a place on.
   *
   * @param rows by their keys without the prefix
   * @param until these are all rows up to there
   */
  private record Portion(TreeMap<Key, byte[]> rows, Key until) {
    static Portion read(Transaction tx, Subspace entries, Key from, int limit) {
      Key prefix = entries.prefix();
      KeyRange range = KeyRange.of(prefix.append(from.unsafeBytes()), entries.prefixRange().end());
      TreeMap<Key, byte[]> rows = new TreeMap<>();
      for (KeyValue row : tx.snapshot().scan(range).limit(limit)) {
        byte[] key = row.key().unsafeBytes();
        rows.put(Key.wrap(Arrays.copyOfRange(key, prefix.size(), key.length)), row.value());
      }
      return new Portion(rows, rows.size() < limit ? Key.END : rows.lastKey().next());
    }
  }

  /**
   * The group of a key. Keys that are no tuples, which the index cannot have made, are shown as
   * bytes.
   */
  private static Tuple group(Key key) {
    try {
      return Tuple.unpack(key);
    } catch (MalformedTupleException foreign) {
      return Tuple.of(key.toByteArray());
    }
  }

  private static Tuple total(Maintainer index, byte @Nullable [] stored) {
    return stored == null ? Tuple.EMPTY : index.total(stored);
  }

  /** Compares totals; a group of zero may have a row or not. */
  private static boolean isSame(byte @Nullable [] stored, byte @Nullable [] counted) {
    if (stored == null || counted == null) {
      byte[] only = stored == null ? counted : stored;
      return only != null && only.length > 0 && isZero(only);
    }
    return Arrays.equals(stored, counted);
  }

  private static boolean isZero(byte[] bytes) {
    for (byte each : bytes) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Replaces the index by the copy, or removes the copy, and returns how many totals that repaired.
   */
  private long finish(Transaction tx, SpaceState state, long differences) {
    boolean replaces = repairs && differences > 0;
    Maintainer goes = replaces ? state.maintainer(name) : state.copy(name).orElseThrow();
    goes.keys().clear(tx);
    space.change(
        tx,
        state
            .header()
            .with(
                name, info -> replaces ? info.replacedByCopy() : info.withCopy(IndexInfo.NO_COPY)));
    if (replaces) {
      Maintainer copy = state.copy(name).orElseThrow();
      tx.clear(copy.keys().builtSpace().prefixRange());
      tx.clear(copy.keys().build().prefixRange());
    }
    return replaces ? differences : 0;
  }
}
