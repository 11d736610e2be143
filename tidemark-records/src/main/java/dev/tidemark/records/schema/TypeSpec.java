package dev.tidemark.records.schema;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.KeyElements;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a record type in a schema.
 *
 * @param name its name, unique in the schema
 * @param fields its fields
 * @param primaryKey the numbers of the fields that identify a record, in the order of the key
 * @param versions whether each record keeps the versionstamp of the commit that saved it last
 * @param expiry when records expire, if they do
 * @param relationships fields that hold keys of other records
 * @param reserved the numbers of fields of earlier versions, which no field may have again
 */
public record TypeSpec(
    String name,
    List<FieldSpec> fields,
    List<Integer> primaryKey,
    boolean versions,
    Optional<Expiry> expiry,
    List<Relation> relationships,
    List<Integer> reserved) {
  /**
   * When a record expires.
   *
   * @param field the number of a field of type INSTANT; a record where it is null does not expire
   * @param after the time between that moment and the expiry
   */
  public record Expiry(int field, Duration after) {}

  /**
   * A reference to records of another type.
   *
   * @param field the number of the field with the key, or with a list or set of keys
   * @param target the name of the type referred to, whose primary key is one field of the same type
   * @param onDelete what happens to the holder when the other record is deleted
   */
  public record Relation(int field, String target, DeleteRule onDelete) {}

  /** Copies the lists. {@link Schema} checks the type. */
  public TypeSpec {
    fields = List.copyOf(fields);
    primaryKey = List.copyOf(primaryKey);
    relationships = List.copyOf(relationships);
    reserved = reserved.stream().distinct().sorted().toList();
  }

  /** A type without reserved numbers. */
  public TypeSpec(
      String name,
      List<FieldSpec> fields,
      List<Integer> primaryKey,
      boolean versions,
      Optional<Expiry> expiry,
      List<Relation> relationships) {
    this(name, fields, primaryKey, versions, expiry, relationships, List.of());
  }

  /** A type without versions, expiry and relationships. */
  public static TypeSpec of(String name, List<FieldSpec> fields, List<Integer> primaryKey) {
    return new TypeSpec(name, fields, primaryKey, false, Optional.empty(), List.of());
  }

  /** This type with {@code numbers} reserved, because earlier versions had fields with them. */
  public TypeSpec withReserved(Integer... numbers) {
    return new TypeSpec(
        name, fields, primaryKey, versions, expiry, relationships, List.of(numbers));
  }

  /**
   * The primary key with {@code values}: one for each of its fields, in the order of the key.
   *
   * @throws IllegalArgumentException if there are more or fewer, or one is of another type
   */
  public Tuple key(Object... values) {
    if (values.length != primaryKey.size()) {
      throw new IllegalArgumentException(
          "The primary key of a %s has %d parts; %d were given"
              .formatted(name, primaryKey.size(), values.length));
    }
    return keyPrefix(values);
  }

  /** The prefix of the primary keys whose first fields have {@code values}. */
  public Tuple keyPrefix(Object... values) {
    if (values.length > primaryKey.size()) {
      throw new IllegalArgumentException(
          "The primary key of a %s has %d parts; %d were given"
              .formatted(name, primaryKey.size(), values.length));
    }
    @Nullable Object[] parts = new @Nullable Object[values.length];
    for (int i = 0; i < parts.length; i++) {
      FieldSpec field = field(primaryKey.get(i)).orElseThrow();
      parts[i] = KeyElements.given(this, field, values[i]);
    }
    return Tuple.of(parts);
  }

  /** The field with {@code number}. */
  public Optional<FieldSpec> field(int number) {
    for (FieldSpec field : fields) {
      if (field.number() == number) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }

  /** The field called {@code name}. */
  public Optional<FieldSpec> field(String name) {
    return fields.stream().filter(field -> field.name().equals(name)).findFirst();
  }
}
