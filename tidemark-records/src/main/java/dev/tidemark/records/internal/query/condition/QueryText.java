package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats conditions and orders as text, with the names of fields and the values. */
public final class QueryText {
  /** The largest number of values of a list that are shown. */
  private static final int VALUES_SHOWN = 5;

  private static final String ELEMENT = "it";

  private final List<FieldSpec> fields;
  private final Bindings bindings;

  /** The type of an element that is a plain value; null for records. */
  private final @Nullable FieldType element;

  private QueryText(List<FieldSpec> fields, Bindings bindings, @Nullable FieldType element) {
    this.fields = fields;
    this.bindings = bindings;
    this.element = element;
  }

  public static QueryText of(TypeSpec type, Bindings bindings) {
    return new QueryText(type.fields(), bindings, null);
  }

  public String condition(Condition condition) {
    return switch (condition) {
      case Condition.Always(boolean value) -> String.valueOf(value);
      case Condition.Compare(var column, var operator, var operand) ->
          "%s %s %s".formatted(column(column), sign(operator), value(column, operand));
      case Condition.In(var column, var operands) ->
          "%s in (%s)".formatted(column(column), values(column, operands));
      case Condition.IsNull(var column) -> column(column) + " is null";
      case Condition.StartsWith(var column, var operand) ->
          "%s starts with %s".formatted(column(column), value(column, operand));
      case Condition.Like(var column, var pattern) ->
          "%s like %s".formatted(column(column), value(column, pattern));
      case Condition.HasWords(var column, var words, var operand) ->
          column(column) + words(words, column, operand);
      case Condition.AnyMatch(var column, var asked) ->
          "any of %s has (%s)".formatted(column(column), within(column).condition(asked));
      case Condition.And(var parts) -> joined(parts, " and ");
      case Condition.Or(var parts) -> joined(parts, " or ");
      case Condition.Not(Condition.IsNull(var column)) -> column(column) + " is not null";
      case Condition.Not(var part) -> "not (" + condition(part) + ")";
    };
  }

  private String words(Condition.Words words, ColumnSpec column, Operand operand) {
    return switch (words) {
      case ONE -> " has the word " + value(column, operand);
      case ANY -> " has one of the words (%s)".formatted(values(column, operand));
      case PREFIX -> " has a word that starts with " + value(column, operand);
      case PHRASE -> " has the phrase '%s'".formatted(phrase(operand));
    };
  }

  private String phrase(Operand operand) {
    return bindings.list(operand).stream()
        .map(String::valueOf)
        .collect(Collectors.joining(" "))
        .replace("'", "''");
  }

  private String joined(List<Condition> parts, String between) {
    return parts.stream()
        .map(
            part ->
                part instanceof Condition.Or || part instanceof Condition.And
                    ? "(" + condition(part) + ")"
                    : condition(part))
        .collect(Collectors.joining(between));
  }

  static String sign(Condition.Operator operator) {
    return switch (operator) {
      case EQ -> "=";
      case NE -> "!=";
      case LT -> "<";
      case LE -> "<=";
      case GT -> ">";
      case GE -> ">=";
    };
  }

  public String orders(List<Ordering> order) {
    return order.stream().map(this::order).collect(Collectors.joining(", "));
  }

  private String order(Ordering ordering) {
    String nulls = ordering.nullsFirst() ? " nulls first" : " nulls last";
    return column(ordering.column())
        + (ordering.descending() ? " desc" : "")
        + (ordering.nullsFirst() == ordering.descending() ? nulls : "");
  }

  String columns(List<ColumnSpec> columns) {
    return columns.stream().map(this::column).collect(Collectors.joining(", "));
  }

  /** The column as a program writes it: {@code address.zip}, {@code tags[]}. */
  public String column(ColumnSpec column) {
    if (column.equals(Condition.ELEMENT)) {
      return ELEMENT;
    }
    if (TextConditions.isWords(column)) {
      return "word of " + column(TextConditions.text(column));
    }
    StringBuilder name = new StringBuilder();
    List<FieldSpec> inner = fields;
    for (ColumnSpec.Step step : column.path()) {
      Optional<FieldSpec> field = field(inner, step.field());
      name.append(name.isEmpty() ? "" : ".")
          .append(field.map(FieldSpec::name).orElse("field " + step.field()))
          .append(part(step.part()));
      inner = fields(field.map(known -> part(known.type(), step.part())).orElse(null));
    }
    return name.append(column.descending() ? " desc" : "").toString();
  }

  private static String part(ColumnSpec.Part part) {
    return switch (part) {
      case WHOLE -> "";
      case ELEMENTS -> "[]";
      case KEYS -> ".keys[]";
      case VALUES -> ".values[]";
    };
  }

  private static Optional<FieldSpec> field(List<FieldSpec> fields, int number) {
    return fields.stream().filter(field -> field.number() == number).findFirst();
  }

  private static List<FieldSpec> fields(@Nullable FieldType type) {
    return type instanceof FieldType.Nested nested ? nested.fields() : List.of();
  }

  private static FieldType part(FieldType type, ColumnSpec.Part part) {
    return switch (type) {
      case FieldType.ListOf(var inner) -> inner;
      case FieldType.SetOf(var inner) -> inner;
      case FieldType.MapOf(var key, var value) -> part == ColumnSpec.Part.KEYS ? key : value;
      case FieldType.Scalar scalar -> scalar;
      case FieldType.Constants constants -> constants;
      case FieldType.Nested nested -> nested;
    };
  }

  /** The formatter of conditions on the elements of {@code column}. */
  private QueryText within(ColumnSpec column) {
    FieldType type = type(column);
    return new QueryText(fields(type), bindings, type);
  }

  private @Nullable FieldType type(ColumnSpec column) {
    if (column.equals(Condition.ELEMENT)) {
      return element;
    }
    if (TextConditions.isWords(column)) {
      return FieldType.Scalar.STRING;
    }
    FieldType type = null;
    List<FieldSpec> inner = fields;
    for (ColumnSpec.Step step : column.path()) {
      type = field(inner, step.field()).map(known -> part(known.type(), step.part())).orElse(null);
      inner = fields(type);
    }
    return type;
  }

  /** The value for {@code operand}, which is compared with {@code column}. */
  public String value(ColumnSpec column, Operand operand) {
    return shown(type(column), bindings.element(operand));
  }

  /** The values for {@code operands}, of which {@code column} is one. */
  public String values(ColumnSpec column, Operand operands) {
    List<?> values = bindings.list(operands);
    String shown =
        values.stream()
            .limit(VALUES_SHOWN)
            .map(value -> shown(type(column), value))
            .collect(Collectors.joining(", "));
    return values.size() > VALUES_SHOWN
        ? "%s, … %,d in all".formatted(shown, values.size())
        : shown;
  }

  private static String shown(@Nullable FieldType type, @Nullable Object element) {
    Object value = type == null ? element : KeyElements.value(type, element);
    return switch (value) {
      case null -> "null";
      case String text -> "'" + text.replace("'", "''") + "'";
      case byte[] bytes -> "x'" + HexFormat.of().formatHex(bytes) + "'";
      default -> String.valueOf(value);
    };
  }
}
