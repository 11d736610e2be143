package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.MalformedTupleException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Every row's value: one byte that names the format, then a tuple. */
final class RowFormat {
  private static final byte FORMAT = 1;

  private RowFormat() {}

  static byte[] encode(@Nullable Object... fields) {
    byte[] tuple = Tuple.of(fields).pack();
    byte[] value = new byte[tuple.length + 1];
    value[0] = FORMAT;
    System.arraycopy(tuple, 0, value, 1, tuple.length);
    return value;
  }

  /** The fields of a row, which has {@code count} of them. */
  static Tuple decode(String row, byte[] value, int count) {
    if (value.length == 0 || value[0] != FORMAT) {
      throw new PartitionException(
          Reason.CORRUPT,
          "A row of %s has format %s; this version of Tidemark reads %d. Upgrade it"
              .formatted(row, value.length == 0 ? "none" : Byte.toString(value[0]), FORMAT));
    }
    Tuple fields = unpack(row, value);
    if (fields.size() != count) {
      throw new PartitionException(
          Reason.CORRUPT,
          "A row of %s has %d fields instead of %d".formatted(row, fields.size(), count));
    }
    return fields;
  }

  private static Tuple unpack(String row, byte[] value) {
    try {
      return Tuple.unpack(Arrays.copyOfRange(value, 1, value.length));
    } catch (MalformedTupleException e) {
      throw new PartitionException(
          Reason.CORRUPT, "A row of %s is no tuple behind its format byte".formatted(row), e);
    }
  }

  static byte[] bytes(Key key) {
    return key.toByteArray();
  }

  static byte @Nullable [] bytes(Optional<Key> key) {
    return key.map(Key::toByteArray).orElse(null);
  }

  static Key key(Tuple fields, int index) {
    return Key.wrap(fields.getBytes(index));
  }

  static Optional<Key> optionalKey(Tuple fields, int index) {
    return fields.isNull(index) ? Optional.empty() : Optional.of(key(fields, index));
  }

  static Optional<String> optionalText(Tuple fields, int index) {
    return fields.isNull(index) ? Optional.empty() : Optional.of(fields.getString(index));
  }

  static PartitionRange range(Tuple fields, int index) {
    return new PartitionRange(key(fields, index), optionalKey(fields, index + 1));
  }

  static <E extends Enum<E>> E constant(Class<E> type, Tuple fields, int index) {
    int number = fields.getInt(index);
    E[] constants = type.getEnumConstants();
    if (number < 1 || number > constants.length) {
      throw new PartitionException(
          Reason.CORRUPT,
          "%s has no constant with the number %d; a newer version may have written it"
              .formatted(type.getSimpleName(), number));
    }
    return constants[number - 1];
  }

  @SuppressWarnings("EnumOrdinal") // the constants say that their order is part of the format
  static int number(Enum<?> constant) {
    return constant.ordinal() + 1;
  }
}
