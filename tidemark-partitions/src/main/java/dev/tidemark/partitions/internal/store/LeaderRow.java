package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.tuple.Tuple;

/**
 * The manager that leads.
 *
 * @param term rises with every leader; every write of a manager checks that it is still its own
 * @param manager the manager
 * @param address where it is served, as host:port
 * @param leaseUntil when another may lead, in microseconds of the store's time
 */
public record LeaderRow(long term, String manager, String address, long leaseUntil) {
  private static final int FIELDS = 4;

  public byte[] encode() {
    return RowFormat.encode(term, manager, address, leaseUntil);
  }

  public static LeaderRow decode(byte[] value) {
    Tuple fields = RowFormat.decode("pm/leader", value, FIELDS);
    return new LeaderRow(
        fields.getLong(0), fields.getString(1), fields.getString(2), fields.getLong(3));
  }
}
