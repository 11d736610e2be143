package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.tuple.Tuple;

/**
 * A node that the cluster knows.
 *
 * @param incarnation which start of the node; 0 before the first
 * @param address where this start of it is served, as host:port; empty before the first
 * @param state how the manager sees it
 * @param generation a label of the version it runs; placement prefers the newest
 * @param leaseUntil when others may take its partitions over, in microseconds of the store's time
 */
public record NodeRow(
    long incarnation, String address, NodeState state, String generation, long leaseUntil) {
  private static final int FIELDS = 5;

  public NodeRow withState(NodeState other) {
    return new NodeRow(incarnation, address, other, generation, leaseUntil);
  }

  public NodeRow withLeaseUntil(long micros) {
    return new NodeRow(incarnation, address, state, generation, micros);
  }

  public byte[] encode() {
    return RowFormat.encode(incarnation, address, RowFormat.number(state), generation, leaseUntil);
  }

  public static NodeRow decode(byte[] value) {
    Tuple fields = RowFormat.decode("node", value, FIELDS);
    return new NodeRow(
        fields.getLong(0),
        fields.getString(1),
        RowFormat.constant(NodeState.class, fields, 2),
        fields.getString(3),
        fields.getLong(4));
  }
}
