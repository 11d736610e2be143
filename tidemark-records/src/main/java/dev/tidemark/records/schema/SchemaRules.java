package dev.tidemark.records.schema;

import dev.tidemark.records.SchemaException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules for schemas, and the indexes that a schema implies. */
final class SchemaRules {
  private SchemaRules() {}

  /**
   * {@code indexes} with those that relationships and expiry need to find the records that refer to
   * a record and those that have expired.
   */
  static List<IndexSpec> withImplied(List<TypeSpec> types, List<IndexSpec> indexes) {
    List<IndexSpec> all = new ArrayList<>(indexes);
    for (IndexSpec implied : implied(types)) {
      boolean there =
          all.stream()
              .anyMatch(index -> index.name().equals(implied.name()) || index.replaces(implied));
      if (!there) {
        all.add(implied);
      }
    }
    return List.copyOf(all);
  }

  /**
   * The indexes that relationships and expiry need, whether or not declared indexes replace them.
   */
  static List<IndexSpec> implied(List<TypeSpec> types) {
    List<IndexSpec> all = new ArrayList<>();
    for (TypeSpec type : types) {
      type.expiry().ifPresent(expiry -> imply(all, type, expiry.field()));
      for (TypeSpec.Relation relation : type.relationships()) {
        if (relation.onDelete() != DeleteRule.NO_ACTION) {
          imply(all, type, relation.field());
        }
      }
    }
    return all;
  }

  private static void imply(List<IndexSpec> indexes, TypeSpec type, int number) {
    type.field(number)
        .map(field -> IndexSpec.implied(type.name(), ColumnSpec.ofAll(field)))
        .filter(implied -> !indexes.contains(implied))
        .ifPresent(indexes::add);
  }

  static void check(
      int version, List<TypeSpec> types, List<IndexSpec> indexes, List<FormerIndex> former) {
    if (version < 1) {
      throw new SchemaException("A schema has version %d; versions begin at 1".formatted(version));
    }
    if (types.isEmpty()) {
      throw new SchemaException("A schema has no record types; it needs one or more");
    }
    Set<String> typeNames = new HashSet<>();
    for (TypeSpec type : types) {
      if (!typeNames.add(type.name())) {
        throw new SchemaException("Two record types are called '%s'".formatted(type.name()));
      }
      TypeRules.check(type, types);
    }
    Set<String> indexNames = new HashSet<>();
    for (IndexSpec index : indexes) {
      if (!indexNames.add(index.name())) {
        throw new SchemaException(
            "Two indexes are called '%s'; give one of them another name".formatted(index.name()));
      }
      IndexRules.check(index, types);
    }
    for (FormerIndex gone : former) {
      if (indexNames.contains(gone.name())) {
        throw new SchemaException(
            "The index '%s' is listed as a former one and as one that exists"
                .formatted(gone.name()));
      }
    }
  }
}
