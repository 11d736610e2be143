package dev.tidemark.records;

import java.util.List;

/** What a schema must be like. */
final class SchemaRules {
  private SchemaRules() {}

  static void check(
      int version, List<TypeSpec> types, List<IndexSpec> indexes, List<FormerIndex> former) {
    if (version < 1) {
      throw new SchemaException("A schema has version %d; versions begin at 1".formatted(version));
    }
  }
}
