package dev.tidemark.records.internal.sql;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Condition.Operator;
import dev.tidemark.records.internal.query.condition.LikePattern;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.internal.sql.SqlTokens.Kind;
import dev.tidemark.records.internal.sql.SqlTokens.Token;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/** The parser of conditions: OR binds least, then AND, then NOT. */
final class SqlConditions {
  /** Bounds the recursion of parser and planner. */
  private static final int DEPTH_MAX = 200;

  private final SqlTokens tokens;
  private final Subjects subjects;
  private int depth;

  /** The parser of subjects. */
  interface Subjects {
    /** Reads a column or an aggregate. */
    Subject next();
  }

  /**
   * The left side of a comparison.
   *
   * @param column the column, or one that stands for an aggregate
   * @param type the type of its values; of a collection, of the collection
   * @param source the place of its type among those of the query
   * @param at where it stands
   */
  record Subject(ColumnSpec column, FieldType type, int source, Token at) {
    /** Whether it is one value, which can be compared. */
    boolean isSingle() {
      return type instanceof FieldType.Scalar || type instanceof FieldType.Constants;
    }
  }

  SqlConditions(SqlTokens tokens, Subjects subjects) {
    this.tokens = tokens;
    this.subjects = subjects;
  }

  /**
   * The conditions that AND joins at the outermost level, each of which may be about another type.
   */
  List<SqlStatement.Part> all() {
    List<SqlStatement.Part> parts = new ArrayList<>();
    int begin = tokens.place();
    do {
      parts.add(negation());
    } while (tokens.take("AND"));
    if (!isOr()) {
      return parts;
    }
    tokens.goTo(begin);
    return List.of(disjunction());
  }

  private boolean isOr() {
    return tokens.peek().is("OR");
  }

  private SqlStatement.Part disjunction() {
    List<SqlStatement.Part> parts = new ArrayList<>();
    do {
      parts.add(conjunctionOfOne());
    } while (tokens.take("OR"));
    return parts.size() == 1
        ? parts.getFirst()
        : joined(parts, new Condition.Or(conditions(parts)));
  }

  private SqlStatement.Part conjunctionOfOne() {
    List<SqlStatement.Part> parts = new ArrayList<>();
    do {
      parts.add(negation());
    } while (tokens.take("AND"));
    return parts.size() == 1
        ? parts.getFirst()
        : joined(parts, new Condition.And(conditions(parts)));
  }

  private static List<Condition> conditions(List<SqlStatement.Part> parts) {
    return parts.stream().map(SqlStatement.Part::condition).toList();
  }

  private SqlStatement.Part joined(List<SqlStatement.Part> parts, Condition condition) {
    SqlStatement.Part first = parts.getFirst();
    for (SqlStatement.Part part : parts) {
      if (part.source() != first.source()) {
        throw tokens.wrong(
            part.at(),
            "This is about another type than what it is joined with by OR or in parentheses; only"
                + " AND can stand between the types of a join");
      }
    }
    return new SqlStatement.Part(condition, first.source(), first.at());
  }

  private SqlStatement.Part negation() {
    Token at = tokens.peek();
    if (++depth > DEPTH_MAX) {
      throw tokens.wrong(at, "More than %d levels of NOT and parentheses".formatted(DEPTH_MAX));
    }
    try {
      return partOfAnd();
    } finally {
      depth--;
    }
  }

  private SqlStatement.Part partOfAnd() {
    if (tokens.take("NOT")) {
      SqlStatement.Part part = negation();
      return new SqlStatement.Part(new Condition.Not(part.condition()), part.source(), part.at());
    }
    if (tokens.take("(")) {
      SqlStatement.Part part = disjunction();
      tokens.expect(")");
      return part;
    }
    Subject subject = subjects.next();
    return new SqlStatement.Part(comparison(subject), subject.source(), subject.at());
  }

  private Condition comparison(Subject subject) {
    if (tokens.take("CONTAINS")) {
      return contains(subject);
    }
    checkSingle(subject);
    if (tokens.take("IS")) {
      boolean not = tokens.take("NOT");
      tokens.expect("NULL");
      return negated(new Condition.IsNull(subject.column()), not);
    }
    boolean not = tokens.take("NOT");
    if (tokens.take("IN")) {
      return negated(in(subject), not);
    }
    if (tokens.take("LIKE")) {
      return negated(like(subject), not);
    }
    if (tokens.takeName("MATCHES")) {
      return negated(matches(subject), not);
    }
    if (tokens.take("BETWEEN")) {
      Condition low = compare(subject, Operator.GE);
      tokens.expect("AND");
      Condition high = compare(subject, Operator.LE);
      return negated(new Condition.And(List.of(low, high)), not);
    }
    if (not) {
      throw tokens.wrong(tokens.peek(), "IN, LIKE, BETWEEN or MATCHES is expected behind NOT");
    }
    return compare(subject, operator());
  }

  private static Condition negated(Condition condition, boolean not) {
    return not ? new Condition.Not(condition) : condition;
  }

  private void checkSingle(Subject subject) {
    if (!subject.isSingle()) {
      throw tokens.wrong(
          subject.at(),
          "This is no single value. Of a list or a set ask with CONTAINS, of a nested record for"
              + " one of its fields");
    }
  }

  private Operator operator() {
    Token token = tokens.next();
    if (token.kind() == Kind.SYMBOL) {
      switch (token.text()) {
        case "=" -> {
          return Operator.EQ;
        }
        case "<>", "!=" -> {
          return Operator.NE;
        }
        case "<" -> {
          return Operator.LT;
        }
        case "<=" -> {
          return Operator.LE;
        }
        case ">" -> {
          return Operator.GT;
        }
        case ">=" -> {
          return Operator.GE;
        }
        default -> {}
      }
    }
    throw tokens.wrong(
        token, "One of = <> < <= > >= IN, LIKE, BETWEEN, IS, CONTAINS or MATCHES is expected here");
  }

  private Condition compare(Subject subject, Operator operator) {
    return new Condition.Compare(
        subject.column(), operator, new Operand.Value(literal(subject.type())));
  }

  private Condition in(Subject subject) {
    tokens.expect("(");
    List<Object> elements = new ArrayList<>();
    do {
      elements.add(literal(subject.type()));
    } while (tokens.take(","));
    tokens.expect(")");
    return new Condition.In(subject.column(), new Operand.Value(List.copyOf(elements)));
  }

  private Condition like(Subject subject) {
    if (subject.type() != FieldType.Scalar.STRING) {
      throw tokens.wrong(subject.at(), "LIKE is asked of texts");
    }
    Token at = tokens.peek();
    String pattern = (String) literal(subject.type());
    try {
      LikePattern.check(subject.at().text(), pattern);
    } catch (IllegalArgumentException mistake) {
      throw tokens.wrong(at, String.valueOf(mistake.getMessage()));
    }
    return new Condition.Like(subject.column(), new Operand.Value(pattern));
  }

  /** Words like ALL are no keywords, so that fields may have these names. */
  private Condition matches(Subject subject) {
    if (subject.type() != FieldType.Scalar.STRING) {
      throw tokens.wrong(subject.at(), "MATCHES is asked of texts");
    }
    Function<String, TextQuery> form = TextQuery::all;
    if (tokens.takeName("ANY")) {
      form = TextQuery::any;
    } else if (tokens.takeName("PHRASE")) {
      form = TextQuery::phrase;
    } else if (tokens.takeName("PREFIX")) {
      form = TextQuery::prefix;
    } else if (!tokens.takeName("ALL")
        && tokens.peek().kind() != Kind.TEXT
        && tokens.peek().kind() != Kind.PARAMETER) {
      throw tokens.wrong(
          tokens.peek(), "A text in single quotes, or ALL, ANY, PHRASE or PREFIX is expected here");
    }
    Token at = tokens.peek();
    String text = (String) literal(subject.type());
    TextQuery query;
    try {
      query = form.apply(text);
    } catch (IllegalArgumentException mistake) {
      throw tokens.wrong(at, String.valueOf(mistake.getMessage()));
    }
    return TextConditions.of(subject.column(), query);
  }

  private Condition contains(Subject subject) {
    FieldType element =
        switch (subject.type()) {
          case FieldType.ListOf list -> list.element();
          case FieldType.SetOf set -> set.element();
          case FieldType.Scalar other -> throw noCollection(subject);
          case FieldType.Constants other -> throw noCollection(subject);
          case FieldType.Nested other -> throw noCollection(subject);
          case FieldType.MapOf other -> throw noCollection(subject);
        };
    return new Condition.AnyMatch(
        subject.column(),
        new Condition.Compare(Condition.ELEMENT, Operator.EQ, new Operand.Value(literal(element))));
  }

  private RuntimeException noCollection(Subject subject) {
    return tokens.wrong(subject.at(), "CONTAINS is asked of lists and sets");
  }

  private Object given(Token parameter, FieldType type) {
    Object value = tokens.value(parameter);
    try {
      Object given = isWhole(value) && isNumber(type) ? type.parse(value.toString()) : value;
      return Objects.requireNonNull(KeyElements.given("The parameter", type, given));
    } catch (IllegalArgumentException | SchemaException mismatch) {
      throw tokens.wrong(parameter, String.valueOf(mismatch.getMessage()));
    }
  }

  private static boolean isWhole(Object value) {
    return value instanceof Integer || value instanceof Long;
  }

  /** Whether a whole number means the same as a value of {@code type}, as it does in the text. */
  private static boolean isNumber(FieldType type) {
    return type == FieldType.Scalar.DOUBLE
        || type == FieldType.Scalar.FLOAT
        || type == FieldType.Scalar.DECIMAL
        || type == FieldType.Scalar.BIG_INTEGER;
  }

  /** A value of {@code type} as an element of a key. */
  private Object literal(FieldType type) {
    Token token = tokens.next();
    if (token.kind() == Kind.PARAMETER) {
      return given(token, type);
    }
    boolean bare = token.kind() == Kind.NUMBER || token.is("TRUE") || token.is("FALSE");
    if (token.is("NULL")) {
      throw tokens.wrong(token, "Nothing compares with NULL; write IS NULL or IS NOT NULL");
    }
    if (!bare && token.kind() != Kind.TEXT) {
      throw tokens.wrong(token, "A value is expected here; texts and dates stand in single quotes");
    }
    if (bare && type == FieldType.Scalar.STRING) {
      throw tokens.wrong(token, "The field is a text; write the value in single quotes");
    }
    try {
      String text =
          token.kind() == Kind.KEYWORD ? token.text().toLowerCase(Locale.ROOT) : token.text();
      return Objects.requireNonNull(KeyElements.element(type, type.parse(text)));
    } catch (SchemaException mismatch) {
      throw tokens.wrong(token, String.valueOf(mismatch.getMessage()));
    }
  }
}
