package dev.tidemark.records.internal.query;

import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Condition.Operator;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.internal.query.plan.Planner;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FieldType.Scalar;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/** A random type, and random conditions, orders and indexes over it. */
public final class RandomQueries {
  private static final List<String> PATTERNS =
      List.of("a%", "%", "ab", "a_", "_b%", "a%c", "\\%", "z%h", "\0%");
  private static final List<Operator> OPERATORS = List.of(Operator.values());
  private static final FieldType.Constants COLOR =
      new FieldType.Constants("Color", List.of("RED", "GREEN", "BLUE"));

  private final SplittableRandom random;
  private final AnyValues values;
  private final TypeSpec type;
  private final List<ColumnSpec> columns = new ArrayList<>();
  private final List<ColumnSpec> lists = new ArrayList<>();
  private List<IndexSpec> made = List.of();

  /** Queries over a random type. */
  public RandomQueries(SplittableRandom random) {
    this(random, type(random));
  }

  public RandomQueries(SplittableRandom random, TypeSpec type) {
    this.random = random;
    this.values = new AnyValues(random);
    this.type = type;
    for (FieldSpec field : type.fields()) {
      collect(field);
    }
  }

  /** The primary key is one of few parts and a number that no two records share. */
  private static TypeSpec type(SplittableRandom random) {
    List<FieldSpec> fields = new ArrayList<>();
    fields.add(new FieldSpec(1, "part", scalar(random), false));
    fields.add(new FieldSpec(2, "id", Scalar.LONG, false));
    for (int number = 3; number <= 7; number++) {
      FieldType single = random.nextInt(8) == 0 ? COLOR : scalar(random);
      fields.add(new FieldSpec(number, "f" + number, single, random.nextInt(3) > 0));
    }
    fields.add(new FieldSpec(8, "text", Scalar.STRING, true));
    FieldType.Nested item =
        new FieldType.Nested(
            "Item",
            List.of(
                new FieldSpec(1, "sku", Scalar.STRING, true),
                new FieldSpec(2, "count", scalar(random), false)));
    fields.add(new FieldSpec(9, "tags", new FieldType.ListOf(scalar(random)), false));
    fields.add(new FieldSpec(10, "items", new FieldType.ListOf(item), false));
    fields.add(new FieldSpec(11, "item", item, true));
    fields.add(
        new FieldSpec(12, "labels", new FieldType.MapOf(Scalar.STRING, scalar(random)), false));
    return TypeSpec.of("Thing", fields, random.nextBoolean() ? List.of(1, 2) : List.of(2));
  }

  private static Scalar scalar(SplittableRandom random) {
    List<Scalar> all = List.of(Scalar.values());
    return all.get(random.nextInt(all.size()));
  }

  private void collect(FieldSpec field) {
    switch (field.type()) {
      case FieldType.Scalar scalar -> columns.add(ColumnSpec.of(field.number()));
      case FieldType.Constants constants -> columns.add(ColumnSpec.of(field.number()));
      case FieldType.ListOf list -> lists.add(list(field, ColumnSpec.Part.ELEMENTS));
      case FieldType.SetOf set -> lists.add(list(field, ColumnSpec.Part.ELEMENTS));
      case FieldType.MapOf map -> {
        lists.add(list(field, ColumnSpec.Part.KEYS));
        lists.add(list(field, ColumnSpec.Part.VALUES));
      }
      case FieldType.Nested nested -> columns.addAll(within(List.of(whole(field)), nested));
    }
  }

  private static ColumnSpec.Step whole(FieldSpec field) {
    return new ColumnSpec.Step(field.number(), ColumnSpec.Part.WHOLE);
  }

  private static ColumnSpec list(FieldSpec field, ColumnSpec.Part part) {
    return new ColumnSpec(List.of(new ColumnSpec.Step(field.number(), part)), false);
  }

  private static List<ColumnSpec> within(List<ColumnSpec.Step> path, FieldType.Nested nested) {
    List<ColumnSpec> inner = new ArrayList<>();
    for (FieldSpec field : nested.fields()) {
      List<ColumnSpec.Step> longer = new ArrayList<>(path);
      longer.add(whole(field));
      inner.add(new ColumnSpec(longer, false));
    }
    return inner;
  }

  public TypeSpec spec() {
    return type;
  }

  public AnyValues values() {
    return values;
  }

  public List<ColumnSpec> columns() {
    return columns;
  }

  public List<ColumnSpec> lists() {
    return lists;
  }

  private ColumnSpec column() {
    return pick(columns);
  }

  private Object element(FieldType of) {
    return Objects.requireNonNull(KeyElements.element(of, values.of(of)));
  }

  private Object element(ColumnSpec column) {
    return element(column.typeIn(type));
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** A condition with up to {@code depth} levels of and, or and not. */
  public Condition condition(int depth) {
    if (depth > 1 && !made.isEmpty() && random.nextInt(4) == 0) {
      return onIndexes(depth);
    }
    return switch (depth == 0 ? 0 : random.nextInt(8)) {
      case 1, 2 -> new Condition.And(parts(depth));
      case 3, 4 -> new Condition.Or(parts(depth));
      case 5 -> new Condition.Not(condition(depth - 1));
      case 6 -> ofElements(pick(lists));
      default -> {
        ColumnSpec column = column();
        yield single(column, column.typeIn(type));
      }
    };
  }

  /** Equalities on all columns of some indexes, so that these can serve it alone or together. */
  private Condition onIndexes(int depth) {
    Map<ColumnSpec, Condition> equal = new LinkedHashMap<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      IndexSpec index = pick(made);
      for (ColumnSpec column : index.columns().subList(0, equalColumns(index))) {
        equal.computeIfAbsent(Planner.ascending(column), this::equality);
      }
      if (index.kind() == IndexKind.TEXT) {
        ColumnSpec text = index.columns().getLast();
        equal.put(TextConditions.words(text), TextConditions.of(text, values.textQuery()));
      }
    }
    List<Condition> parts = new ArrayList<>(equal.values());
    if (random.nextBoolean()) {
      parts.add(condition(depth - 2));
    }
    return new Condition.And(parts);
  }

  /** The words of a text are looked for, and what is ranked is often compared in other ways. */
  private int equalColumns(IndexSpec index) {
    boolean all = index.kind() != IndexKind.TEXT && index.kind() != IndexKind.RANK;
    return all || (index.kind() == IndexKind.RANK && random.nextInt(4) == 0)
        ? index.columns().size()
        : index.groupColumns();
  }

  private Condition equality(ColumnSpec column) {
    Operand value = new Operand.Value(element(column));
    if (!column.fansOut()) {
      return random.nextInt(8) == 0
          ? new Condition.IsNull(column)
          : new Condition.Compare(column, Operator.EQ, value);
    }
    List<ColumnSpec.Step> path = column.path();
    ColumnSpec list = new ColumnSpec(path.subList(0, 1), false);
    ColumnSpec inner =
        path.size() == 1 ? Condition.ELEMENT : new ColumnSpec(path.subList(1, 2), false);
    return new Condition.AnyMatch(list, new Condition.Compare(inner, Operator.EQ, value));
  }

  private List<Condition> parts(int depth) {
    List<Condition> parts = new ArrayList<>();
    for (int i = random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(3); i >= 0; i--) {
      parts.add(condition(depth - 1));
    }
    return parts;
  }

  private Condition ofElements(ColumnSpec list) {
    FieldType element = list.typeIn(type);
    if (!(element instanceof FieldType.Nested nested)) {
      return new Condition.AnyMatch(list, single(Condition.ELEMENT, element));
    }
    FieldSpec first = pick(nested.fields());
    FieldSpec second = pick(nested.fields());
    Condition one = single(ColumnSpec.of(first.number()), first.type());
    Condition other = single(ColumnSpec.of(second.number()), second.type());
    return new Condition.AnyMatch(
        list,
        switch (random.nextInt(4)) {
          case 0 -> new Condition.And(List.of(one, other));
          case 1 -> new Condition.Or(List.of(one, other));
          case 2 -> new Condition.Not(one);
          default -> one;
        });
  }

  private Condition single(ColumnSpec column, FieldType of) {
    return switch (random.nextInt(of == Scalar.STRING ? 12 : 7)) {
      case 0 -> new Condition.IsNull(column);
      case 1 -> {
        List<Object> all = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
          all.add(element(of));
        }
        yield new Condition.In(column, new Operand.Value(all));
      }
      case 2, 3 -> new Condition.Compare(column, Operator.EQ, new Operand.Value(element(of)));
      case 7 -> new Condition.StartsWith(column, new Operand.Value(values.text()));
      case 8 -> new Condition.Like(column, new Operand.Value(pick(PATTERNS)));
      case 9, 10, 11 -> TextConditions.of(column, values.textQuery());
      default -> new Condition.Compare(column, pick(OPERATORS), new Operand.Value(element(of)));
    };
  }

  /** An order by up to three columns, often one that an index has. */
  public List<Ordering> order() {
    List<Ordering> order = new ArrayList<>();
    if (!made.isEmpty() && random.nextInt(4) == 0) {
      ColumnSpec last = Planner.ascending(pick(made).columns().getLast());
      if (!last.fansOut()) {
        boolean descending = random.nextBoolean();
        return List.of(new Ordering(last, descending, !descending));
      }
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      boolean descending = random.nextBoolean();
      boolean natural = random.nextInt(4) > 0;
      order.add(new Ordering(column(), descending, natural != descending));
    }
    return order;
  }

  /** What an index of kind RANK can count: its groups, and some or all values in each of them. */
  Condition ranked(IndexSpec rank) {
    List<Condition> parts = new ArrayList<>();
    for (ColumnSpec column : rank.columns().subList(0, rank.groupColumns())) {
      List<Object> some = new ArrayList<>();
      for (int i = random.nextBoolean() ? 0 : 8; i >= 0; i--) {
        some.add(element(column));
      }
      parts.add(new Condition.In(Planner.ascending(column), new Operand.Value(some)));
    }
    ColumnSpec value = Planner.ascending(rank.columns().getLast());
    parts.add(new Condition.Not(new Condition.IsNull(value)));
    if (random.nextBoolean()) {
      Operator operator = pick(List.of(Operator.LT, Operator.LE, Operator.GT, Operator.GE));
      parts.add(new Condition.Compare(value, operator, new Operand.Value(element(value))));
    }
    return new Condition.And(parts);
  }

  /** Columns that are asked for, or none for the whole record. */
  public Optional<List<ColumnSpec>> wanted() {
    if (random.nextBoolean()) {
      return Optional.empty();
    }
    List<ColumnSpec> wanted = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      wanted.add(column());
    }
    return Optional.of(wanted);
  }

  /** Some indexes: compound, descending, covering, filtered, ranked, unique, fanned out, texts. */
  public List<IndexSpec> indexes() {
    List<IndexSpec> indexes = new ArrayList<>();
    for (int i = 2 + random.nextInt(6); i > 0; i--) {
      indexes.add(index("index" + i));
    }
    indexes.add(text("text"));
    indexes.add(rank("rank"));
    made = List.copyOf(indexes);
    return indexes;
  }

  /** The words of a text, in half of the cases within groups. */
  private IndexSpec text(String name) {
    List<ColumnSpec> texts =
        columns.stream().filter(column -> column.typeIn(type) == Scalar.STRING).toList();
    List<ColumnSpec> chosen = group();
    chosen.add(pick(texts));
    IndexSpec index = IndexSpec.of(name, type.name(), IndexKind.TEXT, chosen);
    return random.nextInt(4) == 0 ? index.withFilter(filter()) : index;
  }

  /** Places of a value that is often never null, in half of the cases within groups. */
  private IndexSpec rank(String name) {
    List<ColumnSpec> chosen = group();
    ColumnSpec value = column();
    chosen.removeIf(column -> column.path().equals(value.path()));
    chosen.add(new ColumnSpec(value.path(), random.nextInt(3) == 0));
    IndexSpec index = IndexSpec.of(name, type.name(), IndexKind.RANK, chosen);
    return random.nextInt(6) == 0 ? index.withFilter(filter()) : index;
  }

  private List<ColumnSpec> group() {
    List<ColumnSpec> group = new ArrayList<>();
    for (int i = random.nextInt(4) - 1; i > 0; i--) {
      group.add(column());
    }
    return new ArrayList<>(distinct(group));
  }

  private IndexSpec index(String name) {
    List<ColumnSpec> chosen = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      chosen.add(new ColumnSpec(column().path(), random.nextInt(3) == 0));
    }
    if (random.nextInt(3) == 0) {
      chosen.set(random.nextInt(chosen.size()), ofElements());
    }
    if (random.nextInt(5) == 0) {
      type.primaryKey().forEach(field -> chosen.add(ColumnSpec.of(field)));
    }
    List<ColumnSpec> distinct = distinct(chosen);
    IndexKind kind =
        switch (random.nextInt(12)) {
          case 0 -> IndexKind.RANK;
          case 1 -> IndexKind.MIN;
          default -> IndexKind.VALUE;
        };
    if (kind == IndexKind.MIN) {
      distinct = distinct(distinct.stream().map(Planner::ascending).toList());
    }
    IndexSpec index = IndexSpec.of(name, type.name(), kind, distinct);
    if (kind == IndexKind.VALUE && random.nextInt(3) == 0) {
      index = index.withCovering(distinct(List.of(column(), column())));
    }
    List<ColumnSpec> ascending = distinct.stream().map(Planner::ascending).toList();
    boolean identifies =
        type.primaryKey().stream().allMatch(field -> ascending.contains(ColumnSpec.of(field)));
    if (kind == IndexKind.VALUE && identifies && random.nextBoolean()) {
      index = index.asUnique(random.nextBoolean());
    }
    return random.nextInt(4) == 0 ? index.withFilter(filter()) : index;
  }

  private ColumnSpec ofElements() {
    ColumnSpec list = pick(lists);
    ColumnSpec column =
        list.typeIn(type) instanceof FieldType.Nested nested
            ? pick(within(list.path(), nested))
            : list;
    return new ColumnSpec(column.path(), random.nextInt(3) == 0);
  }

  private static List<ColumnSpec> distinct(List<ColumnSpec> columns) {
    List<ColumnSpec> distinct = new ArrayList<>();
    for (ColumnSpec column : columns) {
      if (distinct.stream().noneMatch(other -> other.path().equals(column.path()))) {
        distinct.add(column);
      }
    }
    return distinct;
  }

  private IndexFilter filter() {
    List<IndexFilter.Comparison> comparisons = new ArrayList<>();
    for (int i = random.nextInt(2); i >= 0; i--) {
      ColumnSpec column = column();
      IndexFilter.Operator operator = pick(List.of(IndexFilter.Operator.values()));
      boolean alone =
          operator == IndexFilter.Operator.IS_NULL || operator == IndexFilter.Operator.IS_NOT_NULL;
      comparisons.add(new IndexFilter.Comparison(column, operator, alone ? null : element(column)));
    }
    return new IndexFilter(comparisons);
  }
}
