package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Subspace;
import dev.tidemark.records.internal.keys.StreamKeys;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which partition of a stream takes the changes of which record, as of one version. It may be
 * stale, so a transaction that uses it also reads the row of the partition. Rows are immutable, so
 * a row that exists proves that the partition is right.
 */
final class PartitionMap {
  private final long version;
  private final Key records;
  private final TreeMap<Key, Place> places = new TreeMap<>();
  private Map.@Nullable Entry<Key, Place> only;

  /**
   * Where changes go.
   *
   * @param partition the number of the partition
   * @param row the key of its row
   * @param log where its log is
   */
  record Place(int partition, Key row, Subspace log) {}

  private PartitionMap(long version, Key records) {
    this.version = version;
    this.records = records;
  }

  /**
   * The partitions that {@code tx} finds.
   *
   * @param records what the keys of all records begin with
   */
  static PartitionMap read(ReadTransaction tx, StreamKeys keys, Key records) {
    PartitionMap map = new PartitionMap(tx.readVersion(), records);
    for (KeyValue row : tx.snapshot().scan(keys.allActive())) {
      PartitionRow partition = PartitionRow.parse(keys.partition(row.key()), row.value());
      map.places.put(
          records.append(partition.begin().unsafeBytes()),
          new Place(partition.number(), row.key(), keys.log(partition.number())));
    }
    map.only = map.places.firstEntry();
    return map;
  }

  boolean isOlderThan(PartitionMap other) {
    return version < other.version;
  }

  /** Where the changes of the record go whose keys begin with {@code record}; null for nowhere. */
  @Nullable Place at(Key record) {
    Map.Entry<Key, Place> found = places.size() == 1 ? only : places.floorEntry(record);
    return found == null || !record.startsWith(records) ? null : found.getValue();
  }
}
