package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.changes.ChangeColumn;
import dev.tidemark.records.internal.format.DynamicCodec;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Makes values of what the log has of records of one type. */
final class LoggedType {
  private final TypeSpec spec;
  private final DynamicCodec codec;
  private final TypeKeys keys;

  private LoggedType(TypeSpec spec, TypeKeys keys) {
    this.spec = spec;
    this.codec = new DynamicCodec(spec.name(), spec.fields());
    this.keys = keys;
  }

  /**
   * The types of a store in one state.
   *
   * @param byNumber by their numbers in keys
   */
  record All(Map<Integer, LoggedType> byNumber) {
    static All of(Space space, SpaceState state) {
      return state.derived(
          All.class,
          () -> {
            Map<Integer, LoggedType> types = new HashMap<>();
            for (RecordType<?> type : state.stored().types()) {
              int id = state.header().typeId(type.name());
              types.put(id, new LoggedType(type.spec(), space.keys().type(id)));
            }
            return new All(types);
          });
    }

    LoggedType type(int number) {
      LoggedType type = byNumber.get(number);
      if (type == null) {
        throw new DamagedRecordException(
            "A change log has a change of the type with number %d, which the schema does not have"
                .formatted(number));
      }
      return type;
    }
  }

  TypeSpec spec() {
    return spec;
  }

  TypeKeys keys() {
    return keys;
  }

  boolean isKey(int field) {
    return spec.primaryKey().contains(field);
  }

  Map<String, Object> keyValues(Tuple primaryKey) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < spec.primaryKey().size(); i++) {
      FieldSpec field = spec.field(spec.primaryKey().get(i)).orElseThrow();
      values.put(
          field.name(), Objects.requireNonNull(KeyElements.value(field.type(), primaryKey.get(i))));
    }
    return Collections.unmodifiableMap(values);
  }

  /** The values of those fields in {@code wire} that are wanted, the primary key aside. */
  Map<String, @Nullable Object> values(Wire wire, IntPredicate wanted) {
    DynamicRecord record = codec.read(wire.reader());
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (FieldSpec field : spec.fields()) {
      if (!isKey(field.number()) && wanted.test(field.number())) {
        values.put(field.name(), plain(record.value(field.number())));
      }
    }
    return Collections.unmodifiableMap(values);
  }

  List<ChangeColumn> columns(Collection<String> others) {
    List<ChangeColumn> columns = new ArrayList<>();
    int ordinal = 0;
    for (FieldSpec field : spec.fields()) {
      ordinal++;
      if (isKey(field.number()) || others.contains(field.name())) {
        columns.add(
            new ChangeColumn(
                field.name(), field.type(), isKey(field.number()), ordinal, field.number()));
      }
    }
    return columns;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case DynamicRecord record -> {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        record
            .fields()
            .forEach(field -> fields.put(field.name(), plain(record.value(field.number()))));
        yield Collections.unmodifiableMap(fields);
      }
      case Collection<?> elements -> elements.stream().map(LoggedType::plain).toList();
      case Map<?, ?> entries -> {
        Map<@Nullable Object, @Nullable Object> all = new LinkedHashMap<>();
        entries.forEach((key, held) -> all.put(key, plain(held)));
        yield Collections.unmodifiableMap(all);
      }
      case null -> null;
      default -> value;
    };
  }
}
