package dev.tidemark.records.processor;

import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FormerIndex;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.ZeroGroups;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Writes values, types and indexes as Java expressions. */
final class JavaText {
  private final Source source;
  private final Function<ColumnSpec, Optional<String>> handles;

  /**
   * A writer into {@code source}.
   *
   * @param handles finds the handle of a column, if it has one
   */
  JavaText(Source source, Function<ColumnSpec, Optional<String>> handles) {
    this.source = source;
    this.handles = handles;
  }

  // ---- values

  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars().forEach(next -> quoted.append(escaped((char) next)));
    return quoted.append('"').toString();
  }

  private static String escaped(char next) {
    return switch (next) {
      case '"' -> "\\\"";
      case '\'' -> "\\'";
      case '\\' -> "\\\\";
      case '\n' -> "\\n";
      case '\r' -> "\\r"; // an escape by number would end the line of the source
      default ->
          next >= ' ' && next < 127
              ? String.valueOf(next)
              : "\\u" + HexFormat.of().toHexDigits((short) next);
    };
  }

  /** The expression for {@code value} of {@code type}. */
  String value(FieldType.Scalar type, Object value) {
    return switch (type) {
      case BOOLEAN, INT -> value.toString();
      case BYTE -> "(byte) " + value;
      case SHORT -> "(short) " + value;
      case LONG -> value + "L";
      case CHAR -> "'" + escaped((char) value) + "'";
      case FLOAT, DOUBLE, STRING, BYTES, UUID, BIG_INTEGER -> element(value);
      case DECIMAL -> parsed("new %s(%s)", "java.math.BigDecimal", value);
      case INSTANT -> parsed("%s.parse(%s)", "java.time.Instant", value);
      case DATE -> parsed("%s.parse(%s)", "java.time.LocalDate", value);
      case DATE_TIME -> parsed("%s.parse(%s)", "java.time.LocalDateTime", value);
      case DURATION -> parsed("%s.parse(%s)", "java.time.Duration", value);
    };
  }

  private String parsed(String form, String type, Object value) {
    return form.formatted(source.name(type), quoted(value.toString()));
  }

  /** An element of a key. */
  private String element(Object value) {
    return switch (value) {
      case Boolean bool -> bool.toString();
      case Long number -> number + "L";
      case Float number ->
          Float.isFinite(number)
              ? number + "f"
              : "Float.intBitsToFloat(%d)".formatted(Float.floatToRawIntBits(number));
      case Double number ->
          Double.isFinite(number)
              ? number.toString()
              : "Double.longBitsToDouble(%dL)".formatted(Double.doubleToRawLongBits(number));
      case String text -> quoted(text);
      case byte[] bytes ->
          parsed("%s.of().parseHex(%s)", "java.util.HexFormat", HexFormat.of().formatHex(bytes));
      case UUID uuid -> parsed("%s.fromString(%s)", "java.util.UUID", uuid);
      case BigInteger number -> parsed("new %s(%s)", "java.math.BigInteger", number);
      default -> throw new IllegalArgumentException("No element of a key: " + value.getClass());
    };
  }

  // ---- descriptions

  String listOf(List<String> parts) {
    return source.name("java.util.List") + ".of(" + String.join(", ", parts) + ")";
  }

  private <T> String listOf(List<T> values, Function<T, String> each) {
    return listOf(values.stream().map(each).toList());
  }

  private String column(ColumnSpec column) {
    Optional<String> handle = handles.apply(column);
    if (handle.isPresent()) {
      return handle.get() + (column.descending() ? ".descending()" : ".column()");
    }
    String type = source.ours(ColumnSpec.class);
    String steps =
        listOf(
            column.path(),
            step -> "new %s.Step(%d, %s.Part.%s)".formatted(type, step.field(), type, step.part()));
    return "new %s(%s, %b)".formatted(type, steps, column.descending());
  }

  /**
   * The call that adds the former indexes of {@code types} to a schema; empty if there are none.
   */
  static String former(Source source, List<TypeModel> types) {
    List<String> former =
        types.stream()
            .flatMap(type -> type.formerIndexes().stream())
            .map(
                index ->
                    "new %s(%s, %d)"
                        .formatted(
                            source.ours(FormerIndex.class), quoted(index.name()), index.removed()))
            .toList();
    return former.isEmpty() ? "" : "\n    .withFormer(%s)".formatted(String.join(", ", former));
  }

  String index(IndexSpec index) {
    StringBuilder text =
        new StringBuilder(
            "%s.of(%s, %s, %s.%s, %s)"
                .formatted(
                    source.ours(IndexSpec.class),
                    quoted(index.name()),
                    quoted(index.type()),
                    source.ours(IndexKind.class),
                    index.kind(),
                    listOf(index.columns(), this::column)));
    if (index.unique()) {
      text.append("\n    .asUnique(%b)".formatted(index.nullsEqual()));
    }
    if (!index.covering().isEmpty()) {
      text.append("\n    .withCovering(%s)".formatted(listOf(index.covering(), this::column)));
    }
    if (!index.filter().comparisons().isEmpty()) {
      text.append("\n    .withFilter(%s)".formatted(filter(index.filter())));
    }
    if (index.zeroGroups() != ZeroGroups.BY_KIND) {
      text.append(
          "\n    .withZeroGroups(%s.%s)"
              .formatted(source.ours(ZeroGroups.class), index.zeroGroups()));
    }
    if (index.since() != 1) {
      text.append("\n    .withSince(%d)".formatted(index.since()));
    }
    return text.toString();
  }

  private String filter(IndexFilter filter) {
    String type = source.ours(IndexFilter.class);
    return "new %s(%s)"
        .formatted(
            type,
            listOf(
                filter.comparisons(),
                comparison ->
                    "new %s.Comparison(%s, %s.Operator.%s, %s)"
                        .formatted(
                            type,
                            column(comparison.column()),
                            type,
                            comparison.operator(),
                            comparison.operand() == null
                                ? "null"
                                : element(comparison.operand()))));
  }
}
