package dev.tidemark.records.schema;

import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.format.SchemaBytes;
import dev.tidemark.records.internal.format.StreamRules;
import java.time.DateTimeException;
import java.util.List;
import java.util.Optional;

/**
 * The record types of a store and their indexes, in one version.
 *
 * <p>Generated code creates one from annotations. A program can also create one by hand, for types
 * for which it has no Java class.
 *
 * @param version its version, which grows with every change
 * @param types the record types
 * @param indexes their indexes; those that relationships and expiry need are added
 * @param formerIndexes indexes that earlier versions had
 * @param changeStreams the change streams that every store with this schema has
 */
public record Schema(
    int version,
    List<RecordType<?>> types,
    List<IndexSpec> indexes,
    List<FormerIndex> formerIndexes,
    List<ChangeStreamSpec> changeStreams) {
  static {
    Bridge.connect((Bridge.Schemas) Schema::check);
  }

  /**
   * Copies the lists and checks the schema.
   *
   * @throws SchemaException naming the type, field or index that does not fit
   */
  public Schema {
    types = List.copyOf(types);
    formerIndexes = List.copyOf(formerIndexes);
    List<TypeSpec> specs = types.stream().<TypeSpec>map(RecordType::spec).toList();
    indexes = SchemaRules.withImplied(specs, indexes);
    SchemaRules.check(version, specs, indexes, formerIndexes);
    changeStreams = List.copyOf(changeStreams);
    StreamRules.check(changeStreams, specs);
  }

  /** A schema without change streams. */
  public Schema(
      int version,
      List<RecordType<?>> types,
      List<IndexSpec> indexes,
      List<FormerIndex> formerIndexes) {
    this(version, types, indexes, formerIndexes, List.of());
  }

  /** A schema of {@code version} whose earlier versions had no other indexes. */
  public static Schema of(int version, List<RecordType<?>> types, List<IndexSpec> indexes) {
    Schema schema = new Schema(version, types, indexes, List.of());
    types.forEach(type -> TypeRules.checkDeclared(type.spec()));
    return schema;
  }

  /** This schema with {@code former} as the indexes of earlier versions. */
  public Schema withFormer(FormerIndex... former) {
    return new Schema(version, types, indexes, List.of(former), changeStreams);
  }

  /** This schema with change streams. */
  public Schema withStreams(ChangeStreamSpec... streams) {
    return new Schema(version, types, indexes, formerIndexes, List.of(streams));
  }

  /** The serialized schema, for a file that a tool compares stores with. */
  public byte[] toBytes() {
    return SchemaBytes.encode(this);
  }

  /**
   * The schema that {@link #toBytes} serialized, with dynamic records.
   *
   * @throws SchemaException if {@code bytes} are no such description
   */
  public static Schema parse(byte[] bytes) {
    try {
      return SchemaBytes.decode(bytes);
    } catch (IllegalArgumentException
        | IndexOutOfBoundsException
        | ClassCastException
        | NullPointerException
        | ArithmeticException
        | DateTimeException
        | DamagedRecordException wrong) {
      throw new SchemaException(
          "This is no description of a schema; Schema.toBytes makes one: " + wrong.getMessage(),
          wrong);
    }
  }

  private static void check(int version, List<TypeSpec> types, List<IndexSpec> indexes) {
    SchemaRules.check(version, types, SchemaRules.withImplied(types, indexes), List.of());
    types.forEach(TypeRules::checkDeclared);
  }

  /**
   * The indexes that relationships and expiry need: those among {@link #indexes}, and those that a
   * declared index replaces.
   */
  public List<IndexSpec> impliedIndexes() {
    return SchemaRules.implied(types.stream().<TypeSpec>map(RecordType::spec).toList());
  }

  /** The type called {@code name}. */
  public Optional<RecordType<?>> type(String name) {
    return types.stream().filter(type -> type.name().equals(name)).findFirst();
  }

  /** The index called {@code name}. */
  public Optional<IndexSpec> index(String name) {
    return indexes.stream().filter(index -> index.name().equals(name)).findFirst();
  }
}
