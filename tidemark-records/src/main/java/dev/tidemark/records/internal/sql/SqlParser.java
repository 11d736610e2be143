package dev.tidemark.records.internal.sql;

import dev.tidemark.records.internal.query.condition.AggregateSpec;
import dev.tidemark.records.internal.query.condition.AggregateSpec.Function;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.sql.SqlConditions.Subject;
import dev.tidemark.records.internal.sql.SqlScope.Column;
import dev.tidemark.records.internal.sql.SqlStatement.Item;
import dev.tidemark.records.internal.sql.SqlStatement.Joining;
import dev.tidemark.records.internal.sql.SqlStatement.Part;
import dev.tidemark.records.internal.sql.SqlStatement.Sorting;
import dev.tidemark.records.internal.sql.SqlTokens.Kind;
import dev.tidemark.records.internal.sql.SqlTokens.Token;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The parser of queries as text; docs/queries.md has the grammar. */
final class SqlParser {
  private final SqlTokens tokens;
  private final SqlScope scope;
  private final List<AggregateSpec> aggregates = new ArrayList<>();
  private final Map<String, Item> aliases = new HashMap<>();

  private SqlParser(Schema schema, String text, List<? extends @Nullable Object> values) {
    this.tokens = new SqlTokens(text, values);
    this.scope = new SqlScope(schema, tokens);
  }

  static SqlStatement parse(Schema schema, String text, List<? extends @Nullable Object> values) {
    return new SqlParser(schema, text, values).statement();
  }

  private SqlStatement statement() {
    boolean explain = tokens.peek().text().equalsIgnoreCase("EXPLAIN");
    if (explain) {
      tokens.next();
    }
    tokens.expect("SELECT");
    Token behindSelect = tokens.peek();
    boolean distinct = tokens.take("DISTINCT");
    int items = tokens.place();
    tokens.skipTo("FROM");
    tokens.next();
    Optional<Joining> join = types();
    int behindTypes = tokens.place();
    tokens.goTo(items);
    List<Item> asked = items();
    tokens.goTo(behindTypes);
    List<Part> where =
        tokens.take("WHERE") ? new SqlConditions(tokens, this::column).all() : List.of();
    List<Column> groups = groups();
    Condition having = having(groups);
    List<Sorting> order = order();
    if (distinct && isGrouped(groups)) {
      throw tokens.wrong(behindSelect, "Groups take no DISTINCT; they differ by GROUP BY");
    }
    OptionalLong limit =
        tokens.take("LIMIT") ? OptionalLong.of(tokens.number("LIMIT")) : OptionalLong.empty();
    long offset = tokens.take("OFFSET") ? tokens.number("OFFSET") : 0;
    tokens.take(";");
    if (tokens.peek().kind() != Kind.END) {
      throw tokens.wrong(tokens.peek(), "The query should end here");
    }
    return new SqlStatement(
        explain,
        distinct,
        asked,
        scope.sources(),
        join,
        where,
        groups,
        aggregates,
        having,
        order,
        limit,
        offset);
  }

  // ---- types

  private Optional<Joining> types() {
    type();
    boolean outer = tokens.take("LEFT");
    boolean inner = !outer && tokens.take("INNER");
    if (!outer && !inner && !isNext("JOIN")) {
      return Optional.empty();
    }
    tokens.expect("JOIN");
    type();
    tokens.expect("ON");
    Token at = tokens.peek();
    Column one = path();
    tokens.expect("=");
    Column other = path();
    return Optional.of(joining(at, one, other, outer));
  }

  private boolean isNext(String keyword) {
    return tokens.peek().is(keyword);
  }

  private void type() {
    Token type = tokens.peek();
    tokens.anyName("The name of a type");
    tokens.take("AS");
    scope.add(
        type,
        tokens.peek().kind() == Kind.NAME ? Optional.of(tokens.next().text()) : Optional.empty());
  }

  private Joining joining(Token at, Column one, Column other, boolean outer) {
    boolean otherIsKey = one.source() != other.source() && isKey(other);
    boolean oneIsKey = one.source() != other.source() && isKey(one);
    if (!otherIsKey && !oneIsKey) {
      throw tokens.wrong(
          at, "A join goes from a field of one type to the primary key of the other");
    }
    Column reference = otherIsKey && (!oneIsKey || one.source() == 0) ? one : other;
    if (outer && reference.source() != 0) {
      throw tokens.wrong(at, "LEFT JOIN begins with the type that refers to the other");
    }
    return new Joining(reference.source(), reference.spec(), outer);
  }

  private boolean isKey(Column column) {
    TypeSpec type = scope.sources().get(column.source()).type().spec();
    return type.primaryKey().size() == 1
        && column.spec().path().size() == 1
        && column.spec().path().getFirst().field() == type.primaryKey().getFirst();
  }

  // ---- items

  private List<Item> items() {
    List<Item> items = new ArrayList<>();
    do {
      Token at = tokens.peek();
      if (tokens.take("*")) {
        for (int i = 0; i < scope.sources().size(); i++) {
          scope
              .all(i)
              .forEach(
                  column ->
                      items.add(
                          new Item(Optional.of(column), Optional.empty(), column.name(), at)));
        }
      } else {
        items.add(item());
      }
    } while (tokens.take(","));
    if (!isNext("FROM")) {
      throw tokens.wrong(tokens.peek(), "A comma or FROM is expected here");
    }
    return items;
  }

  private Item item() {
    Token at = tokens.peek();
    if (isAggregate()) {
      String function = at.text().toLowerCase(Locale.ROOT);
      AggregateSpec aggregate = aggregate();
      String of = aggregate.column().isEmpty() ? "*" : lastPath;
      return named(
          new Item(Optional.empty(), Optional.of(aggregate), "%s(%s)".formatted(function, of), at));
    }
    Column column = path();
    return named(new Item(Optional.of(column), Optional.empty(), column.name(), at));
  }

  /** {@code item} under the name that the query gives it, if it gives one. */
  private Item named(Item item) {
    if (!tokens.take("AS")) {
      return item;
    }
    Item named = new Item(item.column(), item.aggregate(), tokens.name("A name"), item.at());
    aliases.putIfAbsent(named.name().toLowerCase(Locale.ROOT), named);
    return named;
  }

  private boolean isAggregate() {
    return tokens.peek().kind() == Kind.NAME && tokens.peekBehind().is("(");
  }

  private String lastPath = "";

  private AggregateSpec aggregate() {
    Token at = tokens.next();
    Function function =
        switch (at.text().toUpperCase(Locale.ROOT)) {
          case "COUNT" -> Function.COUNT;
          case "SUM" -> Function.SUM;
          case "MIN" -> Function.MIN;
          case "MAX" -> Function.MAX;
          case "AVG" -> Function.AVG;
          default -> throw tokens.wrong(at, "There are COUNT, SUM, MIN, MAX and AVG");
        };
    tokens.expect("(");
    AggregateSpec aggregate;
    boolean different = function == Function.COUNT && tokens.take("DISTINCT");
    if (function == Function.COUNT && !different && tokens.take("*")) {
      aggregate = new AggregateSpec(function, Optional.empty());
    } else {
      Token argument = tokens.peek();
      if (argument.is("DISTINCT")) {
        throw tokens.wrong(argument, "Only COUNT takes DISTINCT");
      }
      Column column = path();
      lastPath = (different ? "distinct " : "") + column.name();
      aggregate =
          new AggregateSpec(
              different ? Function.COUNT_DISTINCT : function, Optional.of(column.spec()));
      checkType(argument, function, column);
    }
    tokens.expect(")");
    if (!aggregates.contains(aggregate)) {
      aggregates.add(aggregate);
    }
    return aggregate;
  }

  private void checkType(Token at, Function function, Column column) {
    try {
      if (column.isSingle()) {
        AggregateSpec.resultOf(function, column.type());
        return;
      }
    } catch (IllegalArgumentException unfit) {
      throw tokens.wrong(at, String.valueOf(unfit.getMessage()));
    }
    throw tokens.wrong(at, "%s is no single value".formatted(column.name()));
  }

  private Column path() {
    Token at = tokens.peek();
    List<String> path = new ArrayList<>();
    boolean begins = tokens.peekBehind().is(".");
    path.add(begins ? tokens.anyName("A name") : tokens.name("The name of a field"));
    while (tokens.take(".")) {
      path.add(tokens.anyName("The name of a field"));
    }
    return scope.column(at, path);
  }

  // ---- the rest

  private Subject column() {
    Token at = tokens.peek();
    if (isAggregate()) {
      throw tokens.wrong(at, "Aggregates are asked about in HAVING, behind GROUP BY");
    }
    return subject(path(), at);
  }

  /** For HAVING, where a field comes before a name that the query gives. */
  private Subject ofGroup(List<Subject> fields) {
    if (isAggregate() || (isAlias() && !scope.isField(tokens.peek().text()))) {
      return sorted();
    }
    Subject field = column();
    fields.add(field);
    return field;
  }

  /** For ORDER BY, where a name that the query gives comes before a field. */
  private Subject sorted() {
    Token at = tokens.peek();
    if (isAlias()) {
      tokens.next();
      Item item = Objects.requireNonNull(aliases.get(at.text().toLowerCase(Locale.ROOT)));
      return item.aggregate()
          .map(aggregate -> subject(aggregate, at))
          .orElseGet(() -> subject(item.column().orElseThrow(), at));
    }
    return isAggregate() ? subject(aggregate(), at) : column();
  }

  private boolean isAlias() {
    return tokens.peek().kind() == Kind.NAME
        && !tokens.peekBehind().is("(")
        && !tokens.peekBehind().is(".")
        && aliases.containsKey(tokens.peek().text().toLowerCase(Locale.ROOT));
  }

  private Subject subject(AggregateSpec aggregate, Token at) {
    FieldType type = aggregate.typeIn(scope.sources().getFirst().type().spec());
    return new Subject(aggregate.key(), type, 0, at);
  }

  private static Subject subject(Column column, Token at) {
    return new Subject(column.spec(), column.type(), column.source(), at);
  }

  private List<Column> groups() {
    List<Column> groups = new ArrayList<>();
    if (tokens.take("GROUP")) {
      tokens.expect("BY");
      do {
        Token at = tokens.peek();
        Column column = path();
        if (!column.isSingle()) {
          throw tokens.wrong(at, "%s is no single value".formatted(column.name()));
        }
        groups.add(column);
      } while (tokens.take(","));
    }
    return groups;
  }

  private boolean isGrouped(List<Column> groups) {
    return !groups.isEmpty() || !aggregates.isEmpty();
  }

  private Condition having(List<Column> groups) {
    Token at = tokens.peek();
    if (!tokens.take("HAVING")) {
      return new Condition.Always(true);
    }
    List<Subject> fields = new ArrayList<>();
    Condition having =
        new Condition.And(
            new SqlConditions(tokens, () -> ofGroup(fields))
                .all().stream().map(Part::condition).toList());
    if (!isGrouped(groups)) {
      throw tokens.wrong(at, "HAVING is asked of groups; write WHERE, or GROUP BY before it");
    }
    for (Subject field : fields) {
      if (groups.stream().noneMatch(group -> group.spec().equals(field.column()))) {
        throw tokens.wrong(
            field.at(),
            "This is neither a column of GROUP BY nor an aggregate; ask about it in WHERE");
      }
    }
    return having;
  }

  private List<Sorting> order() {
    List<Sorting> order = new ArrayList<>();
    if (tokens.take("ORDER")) {
      tokens.expect("BY");
      do {
        Subject subject = sorted();
        if (!subject.isSingle()) {
          throw tokens.wrong(subject.at(), "This is no single value, by which rows can be sorted");
        }
        boolean descending = tokens.take("DESC");
        if (!descending) {
          tokens.take("ASC");
        }
        boolean nullsFirst = !descending;
        if (tokens.take("NULLS")) {
          nullsFirst = tokens.take("FIRST");
          if (!nullsFirst) {
            tokens.expect("LAST");
          }
        }
        order.add(
            new Sorting(
                new Ordering(subject.column(), descending, nullsFirst),
                subject.source(),
                subject.at()));
      } while (tokens.take(","));
    }
    return order;
  }
}
