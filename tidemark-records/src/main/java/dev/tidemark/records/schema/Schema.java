package dev.tidemark.records.schema;

import dev.tidemark.kv.MalformedTupleException;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.format.SchemaBytes;
import dev.tidemark.records.internal.format.StreamRules;
import java.util.List;
import java.util.Optional;

/**
 * The record types of a store and their indexes, in one version.
 *
 * <p>Generated code makes one from annotations; a program can also build one by hand, for types
 * that it has no Java class for.
 *
 * @param version grows with every change
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
   * Checks that everything fits together.
   *
   * @throws SchemaException naming the type, field or index that does not
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

  /** A schema of {@code version} that never had other indexes. */
  public static Schema of(int version, List<RecordType<?>> types, List<IndexSpec> indexes) {
    Schema schema = new Schema(version, types, indexes, List.of());
    types.forEach(type -> TypeRules.checkSaid(type.spec()));
    return schema;
  }

  /** This schema after others that had these indexes too. */
  public Schema withFormer(FormerIndex... former) {
    return new Schema(version, types, indexes, List.of(former), changeStreams);
  }

  /** This schema with change streams. */
  public Schema withStreams(ChangeStreamSpec... streams) {
    return new Schema(version, types, indexes, formerIndexes, List.of(streams));
  }

  /** The description of this schema, for a file that a tool compares stores with. */
  public byte[] toBytes() {
    return SchemaBytes.encode(this);
  }

  /**
   * The schema that {@link #toBytes} described, with dynamic records.
   *
   * @throws SchemaException if {@code bytes} are no such description
   */
  public static Schema parse(byte[] bytes) {
    try {
      return SchemaBytes.decode(bytes);
    } catch (MalformedTupleException | IndexOutOfBoundsException | ClassCastException wrong) {
      throw new SchemaException(
          "This is no description of a schema; Schema.toBytes makes one: " + wrong.getMessage());
    }
  }

  private static void check(int version, List<TypeSpec> types, List<IndexSpec> indexes) {
    SchemaRules.check(version, types, SchemaRules.withImplied(types, indexes), List.of());
    types.forEach(TypeRules::checkSaid);
  }

  /**
   * The indexes that relationships and expiry need: those among {@link #indexes}, and those whose
   * place a declared index takes.
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
