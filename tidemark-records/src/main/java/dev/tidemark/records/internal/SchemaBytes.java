package dev.tidemark.records.internal;

import dev.tidemark.kv.Tuple;
import dev.tidemark.records.ColumnSpec;
import dev.tidemark.records.FieldSpec;
import dev.tidemark.records.FieldType;
import dev.tidemark.records.FormerIndex;
import dev.tidemark.records.IndexFilter;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.Schema;
import dev.tidemark.records.TypeSpec;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** The description of a schema as bytes, for those who open a store without its program. */
final class SchemaBytes {
  private static final int SCALAR = 1;
  private static final int CONSTANTS = 2;
  private static final int NESTED = 3;
  private static final int LIST = 4;
  private static final int SET = 5;
  private static final int MAP = 6;

  private SchemaBytes() {}

  static byte[] encode(Schema schema) {
    return Tuple.of(schema.version())
        .nest(all(schema.types(), SchemaBytes::type))
        .nest(all(schema.indexes(), SchemaBytes::index))
        .nest(all(schema.formerIndexes(), SchemaBytes::former))
        .pack();
  }

  private static <T> Tuple all(Collection<T> parts, Function<T, Tuple> encode) {
    Tuple all = Tuple.EMPTY;
    for (T part : parts) {
      all = all.nest(encode.apply(part));
    }
    return all;
  }

  private static Tuple type(RecordType<?> type) {
    TypeSpec spec = type.spec();
    return Tuple.of(spec.name(), spec.versions())
        .nest(all(spec.fields(), SchemaBytes::field))
        .nest(Tuple.copyOf(spec.primaryKey()))
        .nest(
            spec.expiry()
                .map(expiry -> Tuple.of(expiry.field(), expiry.after().toString()))
                .orElse(Tuple.EMPTY))
        .nest(
            all(
                spec.relationships(),
                relation ->
                    Tuple.of(relation.field(), relation.target(), relation.onDelete().code())));
  }

  private static Tuple field(FieldSpec field) {
    return Tuple.of(field.number(), field.name(), field.nullable()).nest(type(field.type()));
  }

  private static Tuple type(FieldType type) {
    return switch (type) {
      case FieldType.Scalar scalar -> Tuple.of(SCALAR, scalar.code());
      case FieldType.Constants constants ->
          Tuple.of(CONSTANTS, constants.name()).nest(Tuple.copyOf(constants.constants()));
      case FieldType.Nested nested ->
          Tuple.of(NESTED, nested.name()).nest(all(nested.fields(), SchemaBytes::field));
      case FieldType.ListOf list -> Tuple.of(LIST).nest(type(list.element()));
      case FieldType.SetOf set -> Tuple.of(SET).nest(type(set.element()));
      case FieldType.MapOf map -> Tuple.of(MAP).nest(type(map.key())).nest(type(map.value()));
    };
  }

  private static Tuple index(IndexSpec index) {
    return Tuple.of(
            index.name(),
            index.type(),
            index.kind().code(),
            index.unique(),
            index.nullsEqual(),
            index.zeroGroups().code(),
            index.since())
        .nest(columns(index.columns()))
        .nest(columns(index.covering()))
        .nest(all(index.filter().comparisons(), SchemaBytes::comparison));
  }

  private static Tuple columns(List<ColumnSpec> columns) {
    return all(columns, SchemaBytes::column);
  }

  private static Tuple column(ColumnSpec column) {
    return Tuple.of(column.descending())
        .nest(all(column.path(), step -> Tuple.of(step.field(), step.part().code())));
  }

  private static Tuple comparison(IndexFilter.Comparison comparison) {
    return Tuple.of(comparison.operator().code(), comparison.operand())
        .nest(column(comparison.column()));
  }

  private static Tuple former(FormerIndex former) {
    return Tuple.of(former.name(), former.removed());
  }
}
