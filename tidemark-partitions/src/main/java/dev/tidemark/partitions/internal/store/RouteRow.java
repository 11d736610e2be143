package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Tuple;
import java.util.Optional;

/**
 * Where the keys from the start in the row's key on are served.
 *
 * @param partition the partition
 * @param end the first key behind its range; empty where it has no end
 * @param node its owner
 * @param epoch the epoch of its ownership
 */
public record RouteRow(String partition, Optional<Key> end, String node, long epoch) {
  private static final int FIELDS = 4;

  public byte[] encode() {
    return RowFormat.encode(partition, RowFormat.bytes(end), node, epoch);
  }

  public static RouteRow decode(byte[] value) {
    Tuple fields = RowFormat.decode("route", value, FIELDS);
    return new RouteRow(
        fields.getString(0),
        RowFormat.optionalKey(fields, 1),
        fields.getString(2),
        fields.getLong(3));
  }
}
