package dev.tidemark.records.internal.sql;

import dev.tidemark.records.internal.sql.SqlTokens.Token;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.ColumnSpec.Part;
import dev.tidemark.records.schema.ColumnSpec.Step;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The types that a query names, and their columns. */
final class SqlScope {
  private final Schema schema;
  private final SqlTokens tokens;
  private final List<Source> sources = new ArrayList<>();

  /** A type under the name that the query gives it. */
  record Source(String name, RecordType<?> type) {}

  /**
   * A column.
   *
   * @param source the place of its type among those of the query
   * @param spec where it is found; of a collection, its elements
   * @param type the type of its values
   * @param name its name
   */
  record Column(int source, ColumnSpec spec, FieldType type, String name) {
    /** Whether {@code other} is the same one, however it is written. */
    boolean isSame(Column other) {
      return source == other.source && spec.equals(other.spec);
    }

    /** Whether it is one value, which can be compared. */
    boolean isSingle() {
      return type instanceof FieldType.Scalar || type instanceof FieldType.Constants;
    }
  }

  SqlScope(Schema schema, SqlTokens tokens) {
    this.schema = schema;
    this.tokens = tokens;
  }

  List<Source> sources() {
    return sources;
  }

  /** Adds the type called so. */
  void add(Token type, Optional<String> alias) {
    RecordType<?> found =
        schema.types().stream()
            .filter(one -> one.name().equalsIgnoreCase(type.text()))
            .findFirst()
            .orElseThrow(
                () ->
                    tokens.wrong(
                        type,
                        "There is no type %s; there are %s"
                            .formatted(
                                type.text(),
                                schema.types().stream().map(RecordType::name).toList())));
    sources.add(new Source(alias.orElse(found.name()), found));
  }

  /** The column that {@code path} leads to; its first name may be that of a type. */
  Column column(Token at, List<String> path) {
    for (int i = 0; i < sources.size(); i++) {
      if (path.size() > 1 && sources.get(i).name().equalsIgnoreCase(path.getFirst())) {
        return column(at, i, path.subList(1, path.size()));
      }
    }
    List<Integer> having = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      if (field(fields(i), path.getFirst()).isPresent()) {
        having.add(i);
      }
    }
    if (having.size() > 1) {
      throw tokens.wrong(
          at, "Both types have a field %s; write the type before it".formatted(path.getFirst()));
    }
    return column(at, having.isEmpty() ? 0 : having.getFirst(), path);
  }

  /** Whether a type of the query has a field called {@code name}. */
  boolean isField(String name) {
    for (int i = 0; i < sources.size(); i++) {
      if (field(fields(i), name).isPresent()) {
        return true;
      }
    }
    return false;
  }

  private List<FieldSpec> fields(int source) {
    return sources.get(source).type().spec().fields();
  }

  private static Optional<FieldSpec> field(List<FieldSpec> fields, String name) {
    return fields.stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .or(() -> fields.stream().filter(one -> one.name().equalsIgnoreCase(name)).findFirst());
  }

  private Column column(Token at, int source, List<String> path) {
    List<FieldSpec> fields = fields(source);
    List<Step> steps = new ArrayList<>();
    FieldType type = null;
    for (String name : path) {
      List<FieldSpec> known = fields;
      FieldSpec field =
          field(fields, name)
              .orElseThrow(
                  () ->
                      tokens.wrong(
                          at,
                          known.isEmpty()
                              ? "'%s' has no fields that a query can name, such as %s"
                                  .formatted(String.join(".", path.subList(0, steps.size())), name)
                              : "There is no field %s; there are %s"
                                  .formatted(name, known.stream().map(FieldSpec::name).toList())));
      type = field.type();
      boolean several = type instanceof FieldType.ListOf || type instanceof FieldType.SetOf;
      steps.add(new Step(field.number(), several ? Part.ELEMENTS : Part.WHOLE));
      fields = type instanceof FieldType.Nested nested ? nested.fields() : List.of();
    }
    if (type == null) {
      throw tokens.wrong(at, "The name of a field is expected here");
    }
    return new Column(source, new ColumnSpec(steps, false), type, String.join(".", path));
  }

  /** All fields of a type. */
  List<Column> all(int source) {
    List<Column> all = new ArrayList<>();
    for (FieldSpec field : fields(source)) {
      all.add(new Column(source, ColumnSpec.ofAll(field), field.type(), field.name()));
    }
    return all;
  }
}
