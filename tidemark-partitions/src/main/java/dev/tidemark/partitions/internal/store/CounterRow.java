package dev.tidemark.partitions.internal.store;

/**
 * A number that rises: the version of the routing table, and the version of the whole format.
 *
 * @param value the number
 */
public record CounterRow(long value) {
  public byte[] encode() {
    return RowFormat.encode(value);
  }

  public static CounterRow decode(byte[] bytes) {
    return new CounterRow(RowFormat.decode("a counter", bytes, 1).getLong(0));
  }
}
