package dev.tidemark.records.internal.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.internal.keys.ColumnReader;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.AnyValues;
import dev.tidemark.records.internal.query.NaiveTruth;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.ConditionColumns;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FieldType.Scalar;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Records, their bytes and rows of their columns all answer a condition as the naive way does. */
class RowTestPropertyTest {
  private static final FieldType.Constants COLORS =
      new FieldType.Constants("Color", List.of("RED", "GREEN", "BLUE"));
  private static final List<Condition.Operator> OPERATORS = List.of(Condition.Operator.values());
  private static final Bindings NO_SLOTS = new Bindings(List.of());
  private static final FieldType.Nested INNER =
      new FieldType.Nested(
          "Inner",
          List.of(
              new FieldSpec(1, "text", Scalar.STRING, true),
              new FieldSpec(2, "number", Scalar.LONG, true),
              new FieldSpec(3, "tags", new FieldType.ListOf(Scalar.STRING), false)));
  private static final TypeSpec SPEC = spec();
  private static final FieldType.Nested ROOT = new FieldType.Nested("Thing", SPEC.fields());
  private static final RecordType<DynamicRecord> TYPE = DynamicRecord.type(SPEC);

  private static TypeSpec spec() {
    List<FieldSpec> fields = new ArrayList<>();
    for (Scalar scalar : Scalar.values()) {
      fields.add(new FieldSpec(fields.size() + 1, "f" + fields.size(), scalar, true));
    }
    fields.add(new FieldSpec(30, "color", COLORS, true));
    fields.add(new FieldSpec(31, "inner", INNER, true));
    fields.add(new FieldSpec(32, "numbers", new FieldType.ListOf(Scalar.LONG), false));
    fields.add(new FieldSpec(33, "texts", new FieldType.SetOf(Scalar.STRING), false));
    fields.add(new FieldSpec(34, "inners", new FieldType.ListOf(INNER), false));
    fields.add(new FieldSpec(35, "map", new FieldType.MapOf(Scalar.STRING, INNER), false));
    fields.add(new FieldSpec(36, "colors", new FieldType.ListOf(COLORS), false));
    return TypeSpec.of("Thing", fields, List.of(1));
  }

  private static final class Conditions {
    private final SplittableRandom random;
    private final AnyValues values;

    Conditions(SplittableRandom random) {
      this.random = random;
      this.values = new AnyValues(random);
    }

    /** A condition on fields of {@code type}, or on a plain value of it. */
    Condition of(FieldType type, int depth, boolean collections) {
      if (depth > 0 && random.nextInt(2) == 0) {
        Supplier<Condition> part = () -> of(type, depth - 1, collections);
        return switch (random.nextInt(3)) {
          case 0 -> new Condition.And(List.of(part.get(), part.get()));
          case 1 -> new Condition.Or(List.of(part.get(), part.get(), part.get()));
          default -> new Condition.Not(part.get());
        };
      }
      if (!(type instanceof FieldType.Nested nested)) {
        return leaf(Condition.ELEMENT, type);
      }
      while (true) {
        FieldSpec field = nested.fields().get(random.nextInt(nested.fields().size()));
        Condition found = field(List.of(), field, depth, collections);
        if (found != null) {
          return found;
        }
      }
    }

    private @Nullable Condition field(
        List<ColumnSpec.Step> before, FieldSpec field, int depth, boolean collections) {
      return switch (field.type()) {
        case Scalar scalar -> leaf(column(before, field, ColumnSpec.Part.WHOLE), scalar);
        case FieldType.Constants constants ->
            leaf(column(before, field, ColumnSpec.Part.WHOLE), constants);
        case FieldType.Nested nested ->
            field(
                column(before, field, ColumnSpec.Part.WHOLE).path(),
                nested.fields().get(random.nextInt(nested.fields().size())),
                depth,
                collections);
        case FieldType.ListOf list ->
            any(before, field, ColumnSpec.Part.ELEMENTS, list.element(), depth, collections);
        case FieldType.SetOf set ->
            any(before, field, ColumnSpec.Part.ELEMENTS, set.element(), depth, collections);
        case FieldType.MapOf map ->
            random.nextBoolean()
                ? any(before, field, ColumnSpec.Part.KEYS, map.key(), depth, collections)
                : any(before, field, ColumnSpec.Part.VALUES, map.value(), depth, collections);
      };
    }

    private @Nullable Condition any(
        List<ColumnSpec.Step> before,
        FieldSpec field,
        ColumnSpec.Part part,
        FieldType element,
        int depth,
        boolean collections) {
      return collections
          ? new Condition.AnyMatch(
              column(before, field, part), of(element, Math.max(0, depth - 1), true))
          : null;
    }

    private static ColumnSpec column(
        List<ColumnSpec.Step> before, FieldSpec field, ColumnSpec.Part part) {
      List<ColumnSpec.Step> steps = new ArrayList<>(before);
      steps.add(new ColumnSpec.Step(field.number(), part));
      return new ColumnSpec(steps, false);
    }

    private Condition leaf(ColumnSpec column, FieldType type) {
      boolean text = type == Scalar.STRING;
      return switch (random.nextInt(text ? 11 : 6)) {
        case 0 -> new Condition.IsNull(column);
        case 1 -> new Condition.In(column, new Operand.Value(elements(type)));
        case 6 -> new Condition.StartsWith(column, new Operand.Value(values.text()));
        case 7 -> new Condition.Like(column, new Operand.Value(pattern()));
        case 8, 9, 10 -> TextConditions.of(column, values.textQuery());
        default ->
            new Condition.Compare(
                column,
                OPERATORS.get(random.nextInt(OPERATORS.size())),
                new Operand.Value(KeyElements.element(type, values.of(type))));
      };
    }

    private List<Object> elements(FieldType type) {
      List<Object> all = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        all.add(Objects.requireNonNull(KeyElements.element(type, values.of(type))));
      }
      return all;
    }

    private String pattern() {
      StringBuilder pattern = new StringBuilder();
      for (int i = random.nextInt(5); i > 0; i--) {
        pattern.append(
            switch (random.nextInt(6)) {
              case 0 -> "%";
              case 1 -> "_";
              case 2 -> "\\%";
              case 3 -> "\\\\";
              default -> values.text().replace("\\", "").replace("%", "").replace("_", "");
            });
      }
      return pattern.toString();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 20)
  void recordsAndTheirBytesAnswerLikeTheNaiveWay(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Conditions conditions = new Conditions(random);
    AnyValues values = new AnyValues(random);
    for (int i = 0; i < 60; i++) {
      Condition condition = conditions.of(ROOT, 3, true);
      RowTest<Object> onRecord = RecordTests.of(TYPE, condition).with(NO_SLOTS);
      WireTests.WireTest onBytes = WireTests.of(TYPE, condition).orElseThrow().with(NO_SLOTS);
      for (int j = 0; j < 20; j++) {
        DynamicRecord record = values.record("Thing", SPEC.fields());
        boolean expected = NaiveTruth.of(condition, record, ROOT) == 1;
        byte[] bytes = bytes(record);

        assertThat(onRecord.holds(record)).as("%s of %s", condition, record).isEqualTo(expected);
        assertThat(onBytes.holds(bytes, 3, bytes.length - 3))
            .as("%s of the bytes of %s", condition, record)
            .isEqualTo(expected);
      }
    }
  }

  /** The bytes of {@code record} behind three others. */
  private static byte[] bytes(DynamicRecord record) {
    RecordWriter out = new RecordWriter();
    TYPE.codec().write(record, out);
    out.raw(new byte[] {1, 2, 3});
    return out.toByteArray();
  }

  /** Other writers of protobuf leave out a key or a value that is the default of its type. */
  @Test
  void bytesOfAMapEntryWithoutKeyAndValueAnswerLikeTheRecord() {
    RecordWriter out = new RecordWriter();
    out.bytes(35, new byte[0]);
    byte[] bytes = out.toByteArray();
    DynamicRecord record = TYPE.codec().read(new RecordReader(bytes));
    Condition emptyKey =
        new Condition.AnyMatch(
            new ColumnSpec(List.of(new ColumnSpec.Step(35, ColumnSpec.Part.KEYS)), false),
            new Condition.Compare(Condition.ELEMENT, Condition.Operator.EQ, new Operand.Value("")));
    Condition valueWithoutText =
        new Condition.AnyMatch(
            new ColumnSpec(List.of(new ColumnSpec.Step(35, ColumnSpec.Part.VALUES)), false),
            new Condition.IsNull(ColumnSpec.of(1)));
    for (Condition condition : List.of(emptyKey, valueWithoutText)) {
      assertThat(RecordTests.of(TYPE, condition).with(NO_SLOTS).holds(record)).isTrue();
      assertThat(
              WireTests.of(TYPE, condition)
                  .orElseThrow()
                  .with(NO_SLOTS)
                  .holds(bytes, 0, bytes.length))
          .isTrue();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 20)
  void rowsOfColumnsAnswerLikeTheNaiveWay(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Conditions conditions = new Conditions(random);
    AnyValues values = new AnyValues(random);
    for (int i = 0; i < 60; i++) {
      Condition condition = conditions.of(ROOT, 3, false);
      List<ColumnSpec> columns = List.copyOf(ConditionColumns.single(condition));
      RowTest<@Nullable Object[]> onRow = EntryTests.of(columns, condition).with(NO_SLOTS);
      for (int j = 0; j < 20; j++) {
        DynamicRecord record = values.record("Thing", SPEC.fields());
        @Nullable Object[] row =
            columns.stream().map(column -> ColumnReader.of(TYPE, column).single(record)).toArray();

        assertThat(onRow.holds(row))
            .as("%s of %s", condition, record)
            .isEqualTo(NaiveTruth.of(condition, record, ROOT) == 1);
      }
    }
  }
}
