package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.PartitionBalance;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The recent load of the active partitions, estimated from the ends of their logs. */
final class PartitionLoad {
  /** The number of rows of a log that are read. */
  private static final int SAMPLE = 1_000;

  private final List<Load> loads = new ArrayList<>();
  private final PartitionBalance when;

  /**
   * What a partition has to do.
   *
   * @param row the partition
   * @param perSecond changes a second
   * @param keys the records of recent changes, in order, each as often as it changed
   * @param rested whether it began long enough ago
   */
  private record Load(PartitionRow row, double perSecond, List<Key> keys, boolean rested) {}

  /** What to do. */
  sealed interface Step {
    /** Splits a partition at a key. */
    record Split(Token token, Key cut) implements Step {}

    /** Merges two neighbours. */
    record Merge(Token one, Token other) implements Step {}
  }

  private PartitionLoad(PartitionBalance when) {
    this.when = when;
  }

  static PartitionLoad of(
      Database database, ReadTransaction tx, StreamState stream, PartitionBalance when) {
    PartitionLoad load = new PartitionLoad(when);
    Instant now = database.time().instant();
    long since = database.versionAt(now.minus(when.window()));
    for (PartitionRow row : stream.partitions(tx)) {
      if (row.ended() == null) {
        Duration age = Duration.between(database.timeOf(row.start().version()), now);
        boolean rested = age.compareTo(when.coolDown()) >= 0;
        load.loads.add(
            load.of(database, tx, stream.keys().log(row.number()), row, since, rested, now));
      }
    }
    load.loads.sort(Comparator.comparing(each -> each.row().begin()));
    return load;
  }

  private Load of(
      Database database,
      ReadTransaction tx,
      Subspace log,
      PartitionRow row,
      long since,
      boolean rested,
      Instant now) {
    List<Key> keys = new ArrayList<>();
    long oldest = Long.MAX_VALUE;
    for (KeyValue each : tx.snapshot().scan(log.prefixRange()).reverse().limit(SAMPLE)) {
      Tuple place = log.unpack(each.key());
      long version = place.getVersionstamp(0).version();
      if (version <= since) {
        break;
      }
      if (place.size() == 2 && LogRow.parse(each.value()) instanceof LogRow.Change change) {
        keys.add(Key.wrap(Tuple.of(change.type()).pack()).append(change.primaryKey().copy()));
        oldest = version;
      }
    }
    keys.sort(Comparator.naturalOrder());
    Duration span =
        keys.size() < SAMPLE ? when.window() : Duration.between(database.timeOf(oldest), now);
    double seconds = Math.max(1e-3, span.toNanos() / 1e9);
    return new Load(row, keys.size() / seconds, keys, rested);
  }

  Optional<Step> step() {
    return split().or(this::merge);
  }

  private Optional<Step> split() {
    if (loads.size() >= when.partitionsMax()) {
      return Optional.empty();
    }
    return loads.stream()
        .filter(load -> load.rested() && load.perSecond() > when.splitAbove())
        .sorted(Comparator.comparingDouble(Load::perSecond).reversed())
        .flatMap(load -> cut(load).map(cut -> new Step.Split(load.row().token(), cut)).stream())
        .<Step>map(step -> step)
        .findFirst();
  }

  /** The key in the middle of the changes, or the next one that leaves something on its left. */
  private static Optional<Key> cut(Load load) {
    Key first = load.keys().getFirst();
    return load.keys().stream()
        .skip(load.keys().size() / 2)
        .filter(key -> key.compareTo(first) > 0 && key.compareTo(load.row().begin()) > 0)
        .findFirst();
  }

  private Optional<Step> merge() {
    Step.Merge best = null;
    double least = when.mergeBelow();
    for (int i = 0; i + 1 < loads.size(); i++) {
      Load left = loads.get(i);
      Load right = loads.get(i + 1);
      double both = left.perSecond() + right.perSecond();
      if (left.rested() && right.rested() && both < least) {
        least = both;
        best = new Step.Merge(left.row().token(), right.row().token());
      }
    }
    return Optional.ofNullable(best);
  }
}
