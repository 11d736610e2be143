package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Limits;
import dev.tidemark.records.internal.format.LittleEndian;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** (group...) holds a number of records, of 64 bits. */
abstract sealed class NumberMaintainer extends TotalMaintainer<Long>
    permits CountMaintainer, CountNotNullMaintainer, CountUpdatesMaintainer {
  NumberMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits, Long.BYTES);
  }

  /** The amount of {@code entry}. */
  abstract long amount(Entry entry);

  @Override
  final byte[] added(Entry entry) {
    return LittleEndian.bytes(amount(entry));
  }

  @Override
  final byte[] removed(Entry entry) {
    return LittleEndian.bytes(-amount(entry));
  }

  @Override
  final Long read(byte[] stored) {
    return LittleEndian.number(stored);
  }

  @Override
  public final Long join(Long one, Long other) {
    try {
      return Math.addExact(one, other);
    } catch (ArithmeticException tooLarge) {
      throw new ArithmeticException(
          "The groups of the index '%s' together are beyond the range of a long, %,d and %,d. Ask for smaller groups"
              .formatted(index().name(), one, other));
    }
  }

  @Override
  public final Optional<Object> result(@Nullable Long total) {
    return Optional.of(total == null ? 0L : total);
  }
}
