package dev.tidemark.records.internal.format;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FormerIndex;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The serialized form of a schema, for programs that open a store without its classes. */
public final class SchemaBytes {
  private static final int SCALAR = 1;
  private static final int CONSTANTS = 2;
  private static final int NESTED = 3;
  private static final int LIST = 4;
  private static final int SET = 5;
  private static final int MAP = 6;

  private SchemaBytes() {}

  /** Serializes {@code schema}. */
  public static byte[] encode(Schema schema) {
    Tuple tuple =
        Tuple.of(schema.version())
            .nest(all(schema.types(), SchemaBytes::type))
            .nest(all(schema.indexes(), SchemaBytes::index))
            .nest(all(schema.formerIndexes(), SchemaBytes::former));
    return schema.changeStreams().isEmpty()
        ? tuple.pack()
        : tuple.nest(all(schema.changeStreams(), StreamInfo::encode)).pack();
  }

  /** The FNV-1a hash of the serialized {@code schema}. */
  public static long hash(Schema schema) {
    long hash = 0xcbf29ce484222325L;
    for (byte next : encode(schema)) {
      hash = (hash ^ (next & 0xff)) * 0x100000001b3L;
    }
    return hash;
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
    Tuple tuple =
        Tuple.of(spec.name(), spec.versions())
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
                        Tuple.of(
                            relation.field(),
                            relation.target(),
                            Codes.DELETE_RULES.of(relation.onDelete()))));
    return withReserved(tuple, spec.reserved());
  }

  /** Without reserved numbers the bytes are those of a library that did not know them. */
  private static Tuple withReserved(Tuple tuple, List<Integer> reserved) {
    return reserved.isEmpty() ? tuple : tuple.nest(Tuple.copyOf(reserved));
  }

  private static Tuple field(FieldSpec field) {
    Tuple tuple = Tuple.of(field.number(), field.name(), field.nullable()).nest(type(field.type()));
    return field.defaultText().map(tuple::append).orElse(tuple);
  }

  private static Tuple type(FieldType type) {
    return switch (type) {
      case FieldType.Scalar scalar -> Tuple.of(SCALAR, Codes.SCALARS.of(scalar));
      case FieldType.Constants constants ->
          Tuple.of(CONSTANTS, constants.name()).nest(Tuple.copyOf(constants.constants()));
      case FieldType.Nested nested ->
          withReserved(
              Tuple.of(NESTED, nested.name()).nest(all(nested.fields(), SchemaBytes::field)),
              nested.reserved());
      case FieldType.ListOf list -> Tuple.of(LIST).nest(type(list.element()));
      case FieldType.SetOf set -> Tuple.of(SET).nest(type(set.element()));
      case FieldType.MapOf map -> Tuple.of(MAP).nest(type(map.key())).nest(type(map.value()));
    };
  }

  private static Tuple index(IndexSpec index) {
    return Tuple.of(
            index.name(),
            index.type(),
            Codes.INDEX_KINDS.of(index.kind()),
            index.unique(),
            index.nullsEqual(),
            Codes.ZERO_GROUPS.of(index.zeroGroups()),
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
        .nest(all(column.path(), step -> Tuple.of(step.field(), Codes.PARTS.of(step.part()))));
  }

  private static Tuple comparison(IndexFilter.Comparison comparison) {
    return Tuple.of(Codes.OPERATORS.of(comparison.operator()), comparison.operand())
        .nest(column(comparison.column()));
  }

  private static Tuple former(FormerIndex former) {
    return Tuple.of(former.name(), former.removed());
  }

  // ---- and back

  /** Parses a serialized schema, with dynamic records. */
  public static Schema decode(byte[] bytes) {
    Tuple schema = Tuple.unpack(bytes);
    return new Schema(
        schema.getInt(0),
        all(schema.getTuple(1), tuple -> DynamicRecord.type(typeSpec(tuple))),
        all(schema.getTuple(2), SchemaBytes::indexSpec),
        all(schema.getTuple(3), tuple -> new FormerIndex(tuple.getString(0), tuple.getInt(1))),
        schema.size() > 4 ? all(schema.getTuple(4), StreamInfo::decode) : List.of());
  }

  private static <T> List<T> all(Tuple tuple, Function<Tuple, T> decode) {
    List<T> parts = new ArrayList<>(tuple.size());
    for (int i = 0; i < tuple.size(); i++) {
      parts.add(decode.apply(tuple.getTuple(i)));
    }
    return parts;
  }

  private static TypeSpec typeSpec(Tuple tuple) {
    Tuple expiry = tuple.getTuple(4);
    return new TypeSpec(
        tuple.getString(0),
        all(tuple.getTuple(2), SchemaBytes::fieldSpec),
        numbers(tuple.getTuple(3)),
        tuple.getBoolean(1),
        expiry.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new TypeSpec.Expiry(expiry.getInt(0), Duration.parse(expiry.getString(1)))),
        all(
            tuple.getTuple(5),
            relation ->
                new TypeSpec.Relation(
                    relation.getInt(0),
                    relation.getString(1),
                    Codes.DELETE_RULES.constant(relation.getInt(2)))),
        tuple.size() > 6 ? numbers(tuple.getTuple(6)) : List.of());
  }

  private static List<Integer> numbers(Tuple tuple) {
    List<Integer> numbers = new ArrayList<>(tuple.size());
    for (int i = 0; i < tuple.size(); i++) {
      numbers.add(tuple.getInt(i));
    }
    return numbers;
  }

  private static FieldSpec fieldSpec(Tuple tuple) {
    return new FieldSpec(
        tuple.getInt(0),
        tuple.getString(1),
        fieldType(tuple.getTuple(3)),
        tuple.getBoolean(2),
        tuple.size() > 4 ? Optional.of(tuple.getString(4)) : Optional.empty());
  }

  private static FieldType fieldType(Tuple tuple) {
    return switch (tuple.getInt(0)) {
      case SCALAR -> Codes.SCALARS.constant(tuple.getInt(1));
      case CONSTANTS ->
          new FieldType.Constants(
              tuple.getString(1),
              tuple.getTuple(2).toList().stream().map(String::valueOf).toList());
      case NESTED ->
          new FieldType.Nested(
              tuple.getString(1),
              all(tuple.getTuple(2), SchemaBytes::fieldSpec),
              tuple.size() > 3 ? numbers(tuple.getTuple(3)) : List.of());
      case LIST -> new FieldType.ListOf(fieldType(tuple.getTuple(1)));
      case SET -> new FieldType.SetOf(fieldType(tuple.getTuple(1)));
      case MAP -> new FieldType.MapOf(fieldType(tuple.getTuple(1)), fieldType(tuple.getTuple(2)));
      default -> throw new DamagedRecordException("A stored schema has a type " + tuple.getInt(0));
    };
  }

  private static IndexSpec indexSpec(Tuple tuple) {
    return new IndexSpec(
        tuple.getString(0),
        tuple.getString(1),
        Codes.INDEX_KINDS.constant(tuple.getInt(2)),
        all(tuple.getTuple(7), SchemaBytes::columnSpec),
        all(tuple.getTuple(8), SchemaBytes::columnSpec),
        tuple.getBoolean(3),
        tuple.getBoolean(4),
        new IndexFilter(
            all(
                tuple.getTuple(9),
                one ->
                    new IndexFilter.Comparison(
                        columnSpec(one.getTuple(2)),
                        Codes.OPERATORS.constant(one.getInt(0)),
                        one.get(1)))),
        Codes.ZERO_GROUPS.constant(tuple.getInt(5)),
        tuple.getInt(6));
  }

  private static ColumnSpec columnSpec(Tuple tuple) {
    return new ColumnSpec(
        all(
            tuple.getTuple(1),
            step -> new ColumnSpec.Step(step.getInt(0), Codes.PARTS.constant(step.getInt(1)))),
        tuple.getBoolean(0));
  }
}
