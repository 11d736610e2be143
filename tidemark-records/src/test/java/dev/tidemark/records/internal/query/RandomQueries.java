package dev.tidemark.records.internal.query;

import dev.tidemark.records.ColumnSpec;
import dev.tidemark.records.FieldSpec;
import dev.tidemark.records.FieldType;
import dev.tidemark.records.IndexFilter;
import dev.tidemark.records.IndexKind;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.TypeSpec;
import dev.tidemark.records.internal.query.Condition.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Random conditions, orders and indexes over one type with few values, so that they meet. */
public final class RandomQueries {
  /** A type with single values that can be null or not, plain lists and lists of records. */
  public static final TypeSpec TYPE =
      TypeSpec.of(
          "Thing",
          List.of(
              new FieldSpec(1, "part", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "id", FieldType.Scalar.LONG, false),
              new FieldSpec(3, "a", FieldType.Scalar.LONG, true),
              new FieldSpec(4, "b", FieldType.Scalar.LONG, false),
              new FieldSpec(5, "text", FieldType.Scalar.STRING, true),
              new FieldSpec(6, "real", FieldType.Scalar.DOUBLE, true),
              new FieldSpec(7, "tags", new FieldType.ListOf(FieldType.Scalar.STRING), false),
              new FieldSpec(
                  8,
                  "items",
                  new FieldType.ListOf(
                      new FieldType.Nested(
                          "Item",
                          List.of(
                              new FieldSpec(1, "sku", FieldType.Scalar.STRING, true),
                              new FieldSpec(2, "count", FieldType.Scalar.LONG, false)))),
                  false)),
          List.of(1, 2));

  static final ColumnSpec TAGS = ColumnSpec.parse(TYPE, "tags[]");
  static final ColumnSpec ITEMS =
      new ColumnSpec(List.of(new ColumnSpec.Step(8, ColumnSpec.Part.ELEMENTS)), false);
  static final ColumnSpec SKU = ColumnSpec.of(1);
  static final ColumnSpec COUNT = ColumnSpec.of(2);

  private static final List<String> TEXTS =
      List.of("", "a", "ab", "abc", "b", "ba", "\ud83d\ude00", "\uffee");
  private static final List<Double> REALS =
      List.of(-1.5, -0.0, 0.0, 1.5, Double.NaN, Double.NEGATIVE_INFINITY);
  private static final List<String> PATTERNS =
      List.of("a%", "%", "ab", "a_", "_b%", "a%c", "\\%", "b%");

  private final SplittableRandom random;

  /** What {@code random} brings. */
  public RandomQueries(SplittableRandom random) {
    this.random = random;
  }

  /** A column that is not a list. */
  public ColumnSpec column() {
    return ColumnSpec.of(1 + random.nextInt(6));
  }

  /** A value of {@code column}; not null. */
  public Object value(ColumnSpec column) {
    return switch (column.path().getFirst().field()) {
      case 5 -> pick(TEXTS);
      case 6 -> pick(REALS);
      default -> (long) random.nextInt(5);
    };
  }

  /** A value of {@code column}, or null where it can be. */
  public @Nullable Object valueOrNull(ColumnSpec column) {
    int field = column.path().getFirst().field();
    boolean nullable = field == 3 || field == 5 || field == 6;
    return nullable && random.nextInt(4) == 0 ? null : value(column);
  }

  public <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** A condition with up to {@code depth} levels of and, or and not. */
  public Condition condition(int depth) {
    int kind = depth == 0 ? 0 : random.nextInt(8);
    return switch (kind) {
      case 1, 2 -> new Condition.And(parts(depth));
      case 3, 4 -> new Condition.Or(parts(depth));
      case 5 -> new Condition.Not(condition(depth - 1));
      case 6 -> ofLists();
      default -> single(column());
    };
  }

  private List<Condition> parts(int depth) {
    List<Condition> parts = new ArrayList<>();
    for (int i = random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(3); i >= 0; i--) {
      parts.add(condition(depth - 1));
    }
    return parts;
  }

  private Condition ofLists() {
    if (random.nextBoolean()) {
      return new Condition.AnyMatch(TAGS, elements(Condition.ELEMENT, pick(TEXTS), pick(TEXTS)));
    }
    Condition sku = elements(SKU, pick(TEXTS), pick(TEXTS));
    Condition count = elements(COUNT, (long) random.nextInt(4), (long) random.nextInt(4));
    return new Condition.AnyMatch(
        ITEMS,
        switch (random.nextInt(4)) {
          case 0 -> sku;
          case 1 -> count;
          case 2 -> new Condition.And(List.of(sku, count));
          default -> new Condition.Or(List.of(sku, count));
        });
  }

  private Condition elements(ColumnSpec column, Object first, Object second) {
    return switch (random.nextInt(6)) {
      case 0 -> new Condition.Compare(column, pick(List.of(Operator.values())), value(first));
      case 1 -> new Condition.In(column, new Operand.Value(List.of(first, second)));
      case 2 -> new Condition.Not(new Condition.Compare(column, Operator.EQ, value(first)));
      case 3 -> new Condition.IsNull(column);
      default -> new Condition.Compare(column, Operator.EQ, value(first));
    };
  }

  private static Operand value(Object element) {
    return new Operand.Value(element);
  }

  private Condition single(ColumnSpec column) {
    boolean text = column.equals(ColumnSpec.of(5));
    return switch (random.nextInt(text ? 9 : 7)) {
      case 0 -> new Condition.IsNull(column);
      case 1 -> {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
          values.add(random.nextInt(12) == 0 ? null : value(column));
        }
        yield new Condition.In(column, new Operand.Value(values));
      }
      case 2, 3 -> new Condition.Compare(column, Operator.EQ, value(value(column)));
      case 7 -> new Condition.StartsWith(column, value(pick(TEXTS)));
      case 8 -> new Condition.Like(column, value(pick(PATTERNS)));
      default ->
          new Condition.Compare(column, pick(List.of(Operator.values())), value(value(column)));
    };
  }

  /** An order by up to three columns. */
  public List<Ordering> order() {
    List<Ordering> order = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      boolean descending = random.nextBoolean();
      boolean natural = random.nextInt(4) > 0;
      order.add(new Ordering(column(), descending, natural != descending));
    }
    return order;
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

  /** Some indexes: compound, descending, covering, filtered, unique with the key, fanned out. */
  public List<IndexSpec> indexes() {
    List<IndexSpec> indexes = new ArrayList<>();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      indexes.add(index("index" + i));
    }
    return indexes;
  }

  private IndexSpec index(String name) {
    List<ColumnSpec> columns = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      columns.add(new ColumnSpec(column().path(), random.nextInt(3) == 0));
    }
    if (random.nextInt(4) == 0) {
      columns.set(
          random.nextInt(columns.size()),
          pick(
              List.of(
                  TAGS,
                  ColumnSpec.parse(TYPE, "items[].sku"),
                  ColumnSpec.parse(TYPE, "items[].count desc"))));
    }
    List<ColumnSpec> distinct = distinct(columns);
    boolean ranked = random.nextInt(8) == 0;
    IndexSpec index =
        IndexSpec.of(name, TYPE.name(), ranked ? IndexKind.RANK : IndexKind.VALUE, distinct);
    if (!ranked && random.nextInt(3) == 0) {
      index = index.withCovering(distinct(List.of(column(), column())));
    }
    return random.nextInt(4) == 0 ? index.withFilter(filter()) : index;
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
      comparisons.add(new IndexFilter.Comparison(column, operator, alone ? null : value(column)));
    }
    return new IndexFilter(comparisons);
  }
}
