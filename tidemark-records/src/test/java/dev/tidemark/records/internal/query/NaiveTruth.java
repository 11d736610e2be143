package dev.tidemark.records.internal.query;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.internal.index.TextWords;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a condition says of a dynamic record, written as plainly as can be. 1 is true, -1 is false
 * and 0 is unknown.
 */
public final class NaiveTruth {
  private NaiveTruth() {}

  public static int of(Condition condition, Object row, FieldType type) {
    return switch (condition) {
      case Condition.Always(boolean value) -> truth(value);
      case Condition.Compare(var column, var operator, var operand) ->
          known(column, row, type, element -> compare(operator, order(element, value(operand))));
      case Condition.In(var column, var operands) ->
          known(
              column,
              row,
              type,
              element ->
                  ((List<?>) value(operands)).stream().anyMatch(one -> order(element, one) == 0));
      case Condition.IsNull(var column) -> truth(element(column, row, type) == null);
      case Condition.StartsWith(var column, var operand) ->
          known(
              column, row, type, element -> ((String) element).startsWith((String) value(operand)));
      case Condition.Like(var column, var pattern) ->
          known(column, row, type, element -> like((String) element, (String) value(pattern)));
      case Condition.HasWords(var column, var words, var operand) ->
          known(column, row, type, element -> hasWords((String) element, words, value(operand)));
      case Condition.AnyMatch(var column, var element) -> any(column, element, row, type);
      case Condition.And(var parts) ->
          parts.stream().mapToInt(part -> of(part, row, type)).min().orElse(1);
      case Condition.Or(var parts) ->
          parts.stream().mapToInt(part -> of(part, row, type)).max().orElse(-1);
      case Condition.Not(var part) -> -of(part, row, type);
    };
  }

  private static int truth(boolean value) {
    return value ? 1 : -1;
  }

  private static int known(ColumnSpec column, Object row, FieldType type, Predicate<Object> test) {
    Object element = element(column, row, type);
    return element == null ? 0 : truth(test.test(element));
  }

  private static int any(ColumnSpec column, Condition element, Object row, FieldType type) {
    Found found = walk(column, row, type);
    return found.value() == null
        ? 0
        : ((Collection<?>) found.value())
            .stream().mapToInt(one -> of(element, one, found.type())).max().orElse(-1);
  }

  private static Object value(Operand operand) {
    return Objects.requireNonNull(((Operand.Value) operand).element());
  }

  private static @Nullable Object element(ColumnSpec column, Object row, FieldType type) {
    if (column.equals(Condition.ELEMENT)) {
      return KeyElements.element(type, row);
    }
    Found found = walk(column, row, type);
    return KeyElements.element(found.type(), found.value());
  }

  private record Found(@Nullable Object value, FieldType type) {}

  private static Found walk(ColumnSpec column, Object row, FieldType type) {
    Found at = new Found(row, type);
    for (ColumnSpec.Step step : column.path()) {
      FieldSpec field =
          ((FieldType.Nested) at.type())
              .fields().stream().filter(one -> one.number() == step.field()).findFirst().get();
      Object value = at.value() instanceof DynamicRecord record ? record.value(step.field()) : null;
      at = part(value, field.type(), step.part());
    }
    return at;
  }

  private static Found part(@Nullable Object value, FieldType type, ColumnSpec.Part part) {
    return switch (type) {
      case FieldType.ListOf list -> new Found(value, list.element());
      case FieldType.SetOf set -> new Found(value, set.element());
      case FieldType.MapOf map when part == ColumnSpec.Part.KEYS ->
          new Found(value == null ? null : ((Map<?, ?>) value).keySet(), map.key());
      case FieldType.MapOf map ->
          new Found(value == null ? null : ((Map<?, ?>) value).values(), map.value());
      case FieldType.Scalar scalar -> new Found(value, scalar);
      case FieldType.Constants constants -> new Found(value, constants);
      case FieldType.Nested nested -> new Found(value, nested);
    };
  }

  private static int order(Object one, Object other) {
    return Tuple.of(one).compareTo(Tuple.of(other));
  }

  private static boolean compare(Condition.Operator operator, int order) {
    return switch (operator) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
    };
  }

  static boolean hasWords(String text, Condition.Words words, Object operand) {
    List<String> found = TextWords.of(text);
    return switch (words) {
      case ONE -> found.contains((String) operand);
      case ANY -> ((List<?>) operand).stream().anyMatch(found::contains);
      case PREFIX -> found.stream().anyMatch(word -> word.startsWith((String) operand));
      case PHRASE ->
          (" " + String.join(" ", found) + " ")
              .contains(" " + String.join(" ", ((List<?>) operand).toArray(String[]::new)) + " ");
    };
  }

  private static boolean like(String text, String pattern) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\') {
        regex.append(Pattern.quote(pattern.substring(++i, i + 1)));
      } else if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append(".");
      } else {
        int end = i + (Character.isHighSurrogate(c) ? 2 : 1);
        regex.append(Pattern.quote(pattern.substring(i, end)));
        i = end - 1;
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
  }
}
