package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.keys.StreamKeys;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which partition of a stream takes the changes of which record, as of one version. It may be stale
 * by the time it is used: whoever uses it compares the metadata version, and conflicts with changes
 * of the row of the partition from there on.
 */
final class PartitionMap {
  private final long version;
  private final @Nullable Key metadata;
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

  private PartitionMap(long version, @Nullable Key metadata, Key records) {
    this.version = version;
    this.metadata = metadata;
    this.records = records;
  }

  /**
   * The partitions that {@code tx} finds.
   *
   * @param records what the keys of all records begin with
   * @param metadata the metadata version that it finds; null if it has raised it
   */
  static PartitionMap read(
      ReadTransaction tx, StreamKeys keys, Key records, @Nullable Key metadata) {
    PartitionMap map = new PartitionMap(tx.readVersion(), metadata, records);
    for (KeyValue row : tx.snapshot().scan(keys.allActive())) {
      PartitionRow partition = PartitionRow.parse(keys.partition(row.key()), row.value());
      map.places.put(
          records.append(partition.begin().unsafeBytes()),
          new Place(partition.number(), row.key(), keys.log(partition.number())));
    }
    map.only = map.places.firstEntry();
    return map;
  }

  /** Whether a transaction that finds {@code version} of the metadata would find the same. */
  boolean isOf(@Nullable Key version) {
    return version != null && metadata != null && metadata.equals(version);
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
