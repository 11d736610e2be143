package dev.tidemark.records.internal.format;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the value that made a codec fail to write a record. Codecs do not check values themselves,
 * so that valid records pay nothing.
 */
public final class Unwritable {
  private final boolean nulls;

  private Unwritable(boolean nulls) {
    this.nulls = nulls;
  }

  /**
   * The exception to throw for {@code failure} to write {@code record}: one that names the field if
   * it is found.
   */
  public static RuntimeException explain(
      RecordType<?> type, Object record, RuntimeException failure) {
    Unwritable search = new Unwritable(failure instanceof NullPointerException);
    return search
        .inRecord("", type.spec().fields(), type.codec(), record)
        .<RuntimeException>map(
            what ->
                new SchemaException(
                    "A %s cannot be saved: %s".formatted(type.name(), what), failure))
        .orElse(failure);
  }

  private Optional<String> inRecord(
      String owner, List<FieldSpec> fields, RecordCodec<?> codec, Object record) {
    for (FieldSpec field : fields) {
      String name = owner + field.name();
      Object value;
      try {
        value = unchecked(codec).get(record, field.number());
      } catch (NullPointerException none) {
        return Optional.of("'%s' is null; take an empty Optional".formatted(name));
      }
      Optional<String> found = inField(name, field, codec, value);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<String> inField(
      String name, FieldSpec field, RecordCodec<?> codec, @Nullable Object value) {
    return switch (field.type()) {
      case FieldType.ListOf list ->
          inAll(name, list.element(), field, codec, (Collection<?>) value);
      case FieldType.SetOf set -> inAll(name, set.element(), field, codec, (Collection<?>) value);
      case FieldType.MapOf map -> {
        Map<?, ?> entries = (Map<?, ?>) value;
        Optional<String> inKeys =
            inAll(name, map.key(), field, codec, entries == null ? null : entries.keySet());
        yield entries == null || inKeys.isPresent()
            ? inKeys
            : inAll(name, map.value(), field, codec, entries.values());
      }
      case FieldType.Scalar scalar -> inValue(name, scalar, field, codec, value);
      case FieldType.Constants constants -> Optional.empty();
      case FieldType.Nested nested -> inValue(name, nested, field, codec, value);
    };
  }

  private Optional<String> inAll(
      String name,
      FieldType element,
      FieldSpec field,
      RecordCodec<?> codec,
      @Nullable Collection<?> values) {
    if (values == null) {
      return nulls
          ? Optional.of("'%s' is null; take an empty collection".formatted(name))
          : Optional.empty();
    }
    for (Object value : new ArrayList<@Nullable Object>(values)) {
      if (value == null && nulls) {
        return Optional.of("'%s' has a null in it; leave it out".formatted(name));
      }
      Optional<String> found = inValue(name, element, field, codec, value);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<String> inValue(
      String name, FieldType type, FieldSpec field, RecordCodec<?> codec, @Nullable Object value) {
    if (value instanceof String text && type == FieldType.Scalar.STRING && !nulls) {
      int half = SurrogatePairs.halfIn(text);
      return half < 0
          ? Optional.empty()
          : Optional.of(
              "the text in '%s' has half a surrogate pair at index %d, which has no UTF-8 form. Mend it, or store bytes"
                  .formatted(name, half));
    }
    return value != null && type instanceof FieldType.Nested nested
        ? inRecord(name + ".", nested.fields(), codec.nested(field.number()), value)
        : Optional.empty();
  }

  /** The record, and what is in it, come from the codec's own type. */
  @SuppressWarnings("unchecked")
  private static RecordCodec<Object> unchecked(RecordCodec<?> codec) {
    return (RecordCodec<Object>) codec;
  }
}
