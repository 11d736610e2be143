package dev.tidemark.records.schema;

import dev.tidemark.records.SchemaException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules for record types. */
final class TypeRules {
  private TypeRules() {}

  static void check(TypeSpec type, List<TypeSpec> all) {
    if (type.name().isEmpty()) {
      throw new SchemaException("A record type has no name");
    }
    fields(type.name(), type.fields(), type.reserved());
    primaryKey(type);
    type.expiry().ifPresent(expiry -> expiry(type, expiry));
    for (TypeSpec.Relation relation : type.relationships()) {
      relation(type, relation, all);
    }
  }

  private static void fields(String owner, List<FieldSpec> fields, List<Integer> reserved) {
    Set<Integer> numbers = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (FieldSpec field : fields) {
      if (!numbers.add(field.number())) {
        throw new SchemaException(
            "Two fields of %s have number %d; each needs its own, also one that a removed field had"
                .formatted(owner, field.number()));
      }
      if (reserved.contains(field.number())) {
        throw new SchemaException(
            "%s.%s has number %d, which is reserved because another field had it once, and stored records may still have values under it. Give it a number that was never used"
                .formatted(owner, field.name(), field.number()));
      }
      if (!names.add(field.name())) {
        throw new SchemaException(
            "Two fields of %s are called '%s'".formatted(owner, field.name()));
      }
      type(owner + "." + field.name(), field.type());
    }
  }

  private static void type(String owner, FieldType type) {
    switch (type) {
      case FieldType.Scalar scalar -> {}
      case FieldType.Constants constants -> {
        if (constants.constants().isEmpty()) {
          throw new SchemaException(
              "%s is an enum without constants, so it has no values".formatted(owner));
        }
      }
      case FieldType.Nested nested -> fields(owner, nested.fields(), nested.reserved());
      case FieldType.ListOf list -> element(owner, list.element());
      case FieldType.SetOf set -> element(owner, set.element());
      case FieldType.MapOf map -> {
        if (!isMapKey(map.key())) {
          throw new SchemaException(
              "%s is a map whose keys are %s; keys are whole numbers, booleans, strings, UUIDs or enums"
                  .formatted(owner, map.key()));
        }
        element(owner, map.value());
      }
    }
  }

  private static boolean isMapKey(FieldType type) {
    return type instanceof FieldType.Constants
        || type == FieldType.Scalar.BOOLEAN
        || type == FieldType.Scalar.STRING
        || type == FieldType.Scalar.UUID
        || type == FieldType.Scalar.CHAR
        || (type instanceof FieldType.Scalar scalar && scalar.isWholeNumber());
  }

  private static void element(String owner, FieldType element) {
    if (element instanceof FieldType.ListOf
        || element instanceof FieldType.SetOf
        || element instanceof FieldType.MapOf) {
      throw new SchemaException(
          "%s holds collections of collections; put the inner one into a nested record"
              .formatted(owner));
    }
    type(owner, element);
  }

  private static void primaryKey(TypeSpec type) {
    if (type.primaryKey().isEmpty()) {
      throw new SchemaException(
          "%s has no primary key; mark the component that identifies a record with @PrimaryKey"
              .formatted(type.name()));
    }
    Set<Integer> seen = new HashSet<>();
    for (int number : type.primaryKey()) {
      FieldSpec field = field(type, number, "the primary key");
      if (!seen.add(number)) {
        throw new SchemaException(
            "The primary key of %s names '%s' twice".formatted(type.name(), field.name()));
      }
      if (!isKey(field.type())) {
        throw new SchemaException(
            "The primary key of %s names '%s', which is %s; a key is made of single values"
                .formatted(type.name(), field.name(), field.type()));
      }
      if (field.nullable()) {
        throw new SchemaException(
            "The primary key of %s names '%s', which can be null; a key has no nulls"
                .formatted(type.name(), field.name()));
      }
    }
  }

  static boolean isKey(FieldType type) {
    return type instanceof FieldType.Scalar || type instanceof FieldType.Constants;
  }

  private static void expiry(TypeSpec type, TypeSpec.Expiry expiry) {
    FieldSpec field = field(type, expiry.field(), "the expiry");
    if (field.type() != FieldType.Scalar.INSTANT) {
      throw new SchemaException(
          "%s expires by '%s', which is %s; it must be an Instant"
              .formatted(type.name(), field.name(), field.type()));
    }
    if (expiry.after().isNegative()) {
      throw new SchemaException(
          "%s expires %s after '%s'; the time must not be negative"
              .formatted(type.name(), expiry.after(), field.name()));
    }
  }

  private static void relation(TypeSpec type, TypeSpec.Relation relation, List<TypeSpec> all) {
    FieldSpec field = field(type, relation.field(), "a relationship");
    Optional<TypeSpec> target =
        all.stream().filter(other -> other.name().equals(relation.target())).findFirst();
    if (target.isEmpty()) {
      throw new SchemaException(
          "%s.%s refers to %s, which is not in the schema; put both types into one @RecordSchema"
              .formatted(type.name(), field.name(), relation.target()));
    }
    List<Integer> key = target.get().primaryKey();
    if (key.size() != 1) {
      throw new SchemaException(
          "%s.%s refers to %s, whose primary key has %d fields; a relationship refers to types that have one"
              .formatted(type.name(), field.name(), relation.target(), key.size()));
    }
    FieldType expected = target.get().field(key.getFirst()).map(FieldSpec::type).orElse(null);
    FieldType held =
        switch (field.type()) {
          case FieldType.ListOf list -> list.element();
          case FieldType.SetOf set -> set.element();
          case FieldType.Scalar scalar -> scalar;
          case FieldType.Constants constants -> constants;
          case FieldType.Nested nested -> nested;
          case FieldType.MapOf map -> map;
        };
    if (expected == null || !expected.equals(held)) {
      throw new SchemaException(
          "%s.%s refers to %s and holds %s; it must hold its primary key, one field of type %s"
              .formatted(type.name(), field.name(), relation.target(), held, expected));
    }
    boolean single = TypeRules.isKey(field.type());
    if (relation.onDelete() == DeleteRule.NULLIFY && single && !field.nullable()) {
      throw new SchemaException(
          "%s.%s becomes null when its %s is deleted, but cannot be null; use a type that can, or another rule"
              .formatted(type.name(), field.name(), relation.target()));
    }
    if (relation.onDelete() == DeleteRule.NULLIFY && type.primaryKey().contains(relation.field())) {
      throw new SchemaException(
          "%s.%s is part of the primary key and cannot become null"
              .formatted(type.name(), field.name()));
    }
  }

  /**
   * Checks the rules that only declared schemas must satisfy. A stored schema that breaks them must
   * stay readable, or it could not be changed.
   */
  static void checkDeclared(TypeSpec type) {
    for (TypeSpec.Relation relation : type.relationships()) {
      FieldSpec field = field(type, relation.field(), "a relationship");
      if (relation.onDelete() == DeleteRule.NULLIFY && field.absent().isPresent()) {
        throw new SchemaException(
            "%s.%s becomes null when its %s is deleted, but would read as its default, %s; remove the default, or use another rule"
                .formatted(
                    type.name(), field.name(), relation.target(), field.absent().orElseThrow()));
      }
    }
  }

  private static FieldSpec field(TypeSpec type, int number, String who) {
    return type.field(number)
        .orElseThrow(
            () ->
                new SchemaException(
                    "%s has no field with number %d, which %s names"
                        .formatted(type.name(), number, who)));
  }
}
