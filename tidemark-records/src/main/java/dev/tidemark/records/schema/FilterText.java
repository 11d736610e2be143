package dev.tidemark.records.schema;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.schema.IndexFilter.Comparison;
import dev.tidemark.records.schema.IndexFilter.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parser of filters: {@code status = 'OPEN' and closedAt is null}. */
final class FilterText {
  private static final Pattern TOKEN =
      Pattern.compile("\\s*('(?:[^']++|'')*+'|[=<>!]+|[^\\s'=<>!]+)");

  private final TypeSpec type;
  private final String text;
  private final List<String> tokens = new ArrayList<>();
  private int at;

  private FilterText(TypeSpec type, String text) {
    this.type = type;
    this.text = text;
    Matcher matcher = TOKEN.matcher(text.stripTrailing());
    int end = 0;
    while (matcher.lookingAt()) {
      tokens.add(matcher.group(1));
      end = matcher.end();
      matcher.region(end, matcher.regionEnd());
    }
    if (end < matcher.regionEnd()) {
      throw wrong("nothing can begin with \"%s\"".formatted(text.substring(end).strip()));
    }
  }

  static IndexFilter parse(TypeSpec type, String text) {
    return new FilterText(type, text).filter();
  }

  private IndexFilter filter() {
    List<Comparison> comparisons = new ArrayList<>();
    comparisons.add(comparison());
    while (at < tokens.size()) {
      String word = next("'and'");
      if (!word.equalsIgnoreCase("and")) {
        throw wrong("%s stands where 'and' or the end is expected".formatted(word));
      }
      comparisons.add(comparison());
    }
    return new IndexFilter(comparisons);
  }

  private Comparison comparison() {
    ColumnSpec column = ColumnSpec.parse(type, next("a field"));
    if (column.fansOut()) {
      throw wrong("%s has several values; compare a single one".formatted(tokens.get(at - 1)));
    }
    Operator operator = operator(next("an operator").toLowerCase(Locale.ROOT));
    return operator == Operator.IS_NULL || operator == Operator.IS_NOT_NULL
        ? new Comparison(column, operator, null)
        : new Comparison(column, operator, operand(column.typeIn(type), next("a value")));
  }

  private Operator operator(String word) {
    return switch (word) {
      case "=" -> Operator.EQ;
      case "!=", "<>" -> Operator.NE;
      case "<" -> Operator.LT;
      case "<=" -> Operator.LE;
      case ">" -> Operator.GT;
      case ">=" -> Operator.GE;
      case "is" -> nullTest();
      default ->
          throw wrong("%s stands where one of = != < <= > >= 'is' is expected".formatted(word));
    };
  }

  private Operator nullTest() {
    String word = next("'null'").toLowerCase(Locale.ROOT);
    boolean not = word.equals("not");
    if (not) {
      word = next("'null'").toLowerCase(Locale.ROOT);
    }
    if (!word.equals("null")) {
      throw wrong("%s stands where 'null' is expected".formatted(word));
    }
    return not ? Operator.IS_NOT_NULL : Operator.IS_NULL;
  }

  private Object operand(FieldType field, String token) {
    if (token.equalsIgnoreCase("null")) {
      throw wrong("nothing compares with null; write 'is null' or 'is not null'");
    }
    boolean quoted = token.startsWith("'");
    if (quoted == isBare(field)) {
      throw wrong(
          "%s is compared with a field of type %s; write the value %s quotes"
              .formatted(token, field, quoted ? "without" : "in single"));
    }
    String plain = quoted ? token.substring(1, token.length() - 1).replace("''", "'") : token;
    try {
      Object element = KeyElements.element(field, field.parse(plain));
      if (element != null) {
        return element;
      }
    } catch (SchemaException mismatch) {
      throw wrong(String.valueOf(mismatch.getMessage()));
    }
    throw wrong("%s has no place in a key".formatted(token));
  }

  /** Whether values are written as they are: numbers, true and false. */
  private static boolean isBare(FieldType field) {
    return field instanceof FieldType.Scalar scalar
        && switch (scalar) {
          case BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, BIG_INTEGER, DECIMAL -> true;
          case CHAR, STRING, BYTES, UUID, INSTANT, DATE, DATE_TIME, DURATION -> false;
        };
  }

  private String next(String expected) {
    if (at == tokens.size()) {
      throw wrong("it ends where %s is expected".formatted(expected));
    }
    return tokens.get(at++);
  }

  private SchemaException wrong(String what) {
    return new SchemaException(
        "The filter \"%s\" of %s is wrong: %s".formatted(text, type.name(), what));
  }
}
