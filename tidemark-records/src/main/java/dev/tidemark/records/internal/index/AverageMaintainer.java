package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.format.LittleEndian;
import dev.tidemark.records.internal.index.AverageMaintainer.Mean;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Sum and number of values are one number of 24 bytes, count * 2^128 + sum, so that one ADD changes both.
 * The sum is within 2^127 of zero for as many values of 64 bits as there can be; so it can be told from the
 * count, it never wraps, and the whole is zero only when both are.
 */

/** AVERAGE: (group...) holds the sum and the number of the values in the last column. */
public final class AverageMaintainer extends TotalMaintainer<Mean> {
  private static final int BYTES = 24;
  private static final int SUM_BITS = 128;

  /**
   * The parts of an average.
   *
   * @param sum the sum of the values
   * @param count how many there are
   */
  record Mean(BigInteger sum, long count) {
    private static Mean of(long value) {
      return new Mean(BigInteger.valueOf(value), 1);
    }

    private Mean negated() {
      return new Mean(sum.negate(), -count);
    }

    private byte[] toBytes() {
      return LittleEndian.bytes(BigInteger.valueOf(count).shiftLeft(SUM_BITS).add(sum), BYTES);
    }
  }

  AverageMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits, BYTES);
  }

  @Override
  boolean isOverAtZero() {
    return true;
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    return eachValue(record);
  }

  @Override
  byte[] added(Entry entry) {
    return Mean.of(entry.value().getLong(0)).toBytes();
  }

  @Override
  byte[] removed(Entry entry) {
    return Mean.of(entry.value().getLong(0)).negated().toBytes();
  }

  @Override
  Mean read(byte[] stored) {
    BigInteger both = LittleEndian.whole(stored);
    BigInteger count = both.shiftRight(SUM_BITS);
    BigInteger sum = both.subtract(count.shiftLeft(SUM_BITS));
    return sum.testBit(SUM_BITS - 1)
        ? new Mean(sum.subtract(BigInteger.ONE.shiftLeft(SUM_BITS)), count.longValue() + 1)
        : new Mean(sum, count.longValue());
  }

  @Override
  public Tuple total(byte[] stored) {
    Mean mean = read(stored);
    return Tuple.of(mean.sum(), mean.count());
  }

  @Override
  public Mean join(Mean one, Mean other) {
    return new Mean(one.sum().add(other.sum()), one.count() + other.count());
  }

  @Override
  public Optional<Object> result(@Nullable Mean total) {
    return total == null || total.count() == 0
        ? Optional.empty()
        : Optional.of(
            new BigDecimal(total.sum())
                .divide(BigDecimal.valueOf(total.count()), MathContext.DECIMAL128)
                .doubleValue());
  }
}
