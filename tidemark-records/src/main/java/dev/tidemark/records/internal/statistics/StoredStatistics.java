package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.format.LittleEndian;
import dev.tidemark.records.internal.keys.StoreKeys.StatisticsKeys;
import dev.tidemark.records.internal.statistics.KeyStatistics.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows of statistics in a store. docs/formats/records.md describes them. */
final class StoredStatistics {
  private static final int FORMAT = 1;

  /** A store takes values of up to 100,000 bytes. */
  private static final int VALUE_BYTES_MAX = 90_000;

  private StoredStatistics() {}

  /** Replaces the stored statistics by {@code known}. */
  static void write(Transaction tx, StatisticsKeys keys, KeyStatistics known) {
    tx.clear(keys.space().prefixRange());
    Tuple distinct = Tuple.EMPTY;
    for (PrefixStatistics prefix : known.prefixes()) {
      distinct = distinct.append(prefix.distinct());
    }
    Origin origin = known.origin();
    tx.set(
        keys.summary(),
        Tuple.of(FORMAT, origin.version(), origin.micros(), origin.bytes())
            .append(known.rows())
            .append(known.averageBytes())
            .append(known.read())
            .nest(distinct)
            .pack());
    for (int i = 0; i < known.histogram().buckets().size(); i++) {
      tx.set(keys.bucket(i), known.histogram().buckets().get(i).toTuple().pack());
    }
    for (int i = 0; i < known.prefixes().size(); i++) {
      PrefixStatistics prefix = known.prefixes().get(i);
      tx.set(keys.common(i + 1), prefix.commonTuple(VALUE_BYTES_MAX).pack());
      tx.set(keys.column(i), prefix.column().within(VALUE_BYTES_MAX).toTuple().pack());
    }
  }

  /** The stored statistics; empty if none were collected, or if a newer version of Tidemark did. */
  static Optional<KeyStatistics> read(ReadTransaction tx, StatisticsKeys keys) {
    Optional<Tuple> summary = tx.get(keys.summary()).map(Tuple::unpack);
    return summary.filter(tuple -> tuple.getInt(0) == FORMAT).map(tuple -> read(tx, keys, tuple));
  }

  /**
   * The age of statistics.
   *
   * @param origin when and from what they were collected
   * @param rows how many there were
   * @param changed about how many keys have changed since
   */
  record Age(Origin origin, double rows, long changed) {}

  /** Reads only their age. */
  static Optional<Age> readAge(ReadTransaction tx, StatisticsKeys keys) {
    Map<Key, byte[]> found = tx.getAll(List.of(keys.summary(), keys.changed()));
    byte[] changed = found.get(keys.changed());
    return Optional.ofNullable(found.get(keys.summary()))
        .map(Tuple::unpack)
        .filter(tuple -> tuple.getInt(0) == FORMAT)
        .map(
            tuple ->
                new Age(
                    origin(tuple),
                    tuple.getDouble(4),
                    changed == null ? 0 : LittleEndian.number(changed)));
  }

  private static Origin origin(Tuple summary) {
    return new Origin(summary.getLong(1), summary.getLong(2), summary.getLong(3));
  }

  private static KeyStatistics read(ReadTransaction tx, StatisticsKeys keys, Tuple summary) {
    Tuple distinct = summary.getTuple(7);
    List<Key> wanted = new ArrayList<>();
    for (int i = 0; i < distinct.size(); i++) {
      wanted.add(keys.common(i + 1));
      wanted.add(keys.column(i));
    }
    Map<Key, byte[]> found = tx.getAll(wanted);
    List<PrefixStatistics> prefixes = new ArrayList<>();
    for (int i = 0; i < distinct.size(); i++) {
      byte[] common = found.get(keys.common(i + 1));
      byte[] column = found.get(keys.column(i));
      if (common != null && column != null) {
        prefixes.add(
            PrefixStatistics.parse(
                distinct.getDouble(i),
                Tuple.unpack(common),
                ColumnStatistics.parse(Tuple.unpack(column))));
      }
    }
    return new KeyStatistics(
        origin(summary),
        summary.getDouble(4),
        summary.getDouble(5),
        summary.getLong(6),
        prefixes,
        histogram(tx, keys.buckets()));
  }

  private static Histogram histogram(ReadTransaction tx, KeyRange rows) {
    List<Histogram.Bucket> buckets = new ArrayList<>();
    for (KeyValue row : tx.scan(rows).list()) {
      buckets.add(Histogram.Bucket.parse(Tuple.unpack(row.value())));
    }
    return new Histogram(buckets);
  }
}
