package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.format.LittleEndian;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * SUM: (group...) holds the sum of the last column. Nulls neither add to a sum nor create a group.
 * By default a sum of zero stays, because it may be the sum of records.
 *
 * <p>A sum has 128 bits, which the values of any number of records do not exceed. A read refuses a
 * sum beyond the range of a long, as a query over the records does. In the first form of the kind a
 * sum has 64 bits and wraps around.
 */
final class SumMaintainer extends TotalMaintainer<BigInteger> {
  /** The form with sums of 128 bits. */
  static final int WIDE = 1;

  private static final int WIDE_BYTES = 2 * Long.BYTES;

  private final int bytes;

  SumMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits, int form) {
    super(index, type, keys, limits, bytes(form));
    this.bytes = bytes(form);
  }

  private static int bytes(int form) {
    return form == WIDE ? WIDE_BYTES : Long.BYTES;
  }

  @Override
  boolean isOverAtZero() {
    return false;
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    return eachValue(record);
  }

  @Override
  byte[] added(Entry entry) {
    long amount = entry.value().getLong(0);
    return bytes == WIDE_BYTES
        ? LittleEndian.bytes(BigInteger.valueOf(amount), bytes)
        : LittleEndian.bytes(amount);
  }

  @Override
  byte[] removed(Entry entry) {
    long amount = entry.value().getLong(0);
    return bytes == WIDE_BYTES
        ? LittleEndian.bytes(BigInteger.valueOf(amount).negate(), bytes)
        : LittleEndian.bytes(-amount);
  }

  @Override
  BigInteger read(byte[] stored) {
    return LittleEndian.whole(stored);
  }

  @Override
  public Tuple total(byte[] stored) {
    return stored.length == bytes ? Tuple.of(read(stored)) : Tuple.of(stored);
  }

  @Override
  public BigInteger join(BigInteger one, BigInteger other) {
    return one.add(other);
  }

  @Override
  public Optional<Object> result(@Nullable BigInteger total) {
    BigInteger sum = total == null ? BigInteger.ZERO : total;
    if (sum.bitLength() >= Long.SIZE) {
      throw new ArithmeticException(
          "A sum of the index '%s' is %,d, which is beyond the range of a long. Ask for smaller groups"
              .formatted(index().name(), sum));
    }
    return Optional.of(sum.longValue());
  }
}
