package dev.tidemark.records.internal.keys;

import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.List;

/** The names of columns as programs write them. */
public final class ColumnNames {
  private ColumnNames() {}

  /** The name of a column as programs write it: {@code address.zip}, {@code tags[]}. */
  public static String of(TypeSpec type, ColumnSpec column) {
    StringBuilder name = new StringBuilder();
    List<FieldSpec> fields = type.fields();
    for (int i = 0; i < column.path().size(); i++) {
      ColumnSpec.Step step = column.path().get(i);
      String field =
          fields.stream()
              .filter(candidate -> candidate.number() == step.field())
              .findFirst()
              .orElseThrow()
              .name();
      name.append(i == 0 ? "" : ".").append(field).append(suffix(step.part()));
      ColumnSpec soFar = new ColumnSpec(column.path().subList(0, i + 1), false);
      fields = soFar.typeIn(type) instanceof FieldType.Nested nested ? nested.fields() : List.of();
    }
    return name.toString();
  }

  private static String suffix(ColumnSpec.Part part) {
    return switch (part) {
      case WHOLE -> "";
      case ELEMENTS -> "[]";
      case KEYS -> ".keys[]";
      case VALUES -> ".values[]";
    };
  }
}
