package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A schema that contradicts itself is refused with what is wrong. */
class SchemaRulesTest {
  private static final FieldSpec ID = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
  private static final FieldSpec NAME = new FieldSpec(2, "name", FieldType.Scalar.STRING, true);
  private static final FieldSpec PRICE = new FieldSpec(3, "price", FieldType.Scalar.DOUBLE, true);
  private static final FieldSpec DAY = new FieldSpec(5, "day", FieldType.Scalar.DATE, true);
  private static final FieldSpec AT = new FieldSpec(6, "at", FieldType.Scalar.INSTANT, true);

  /** Behind all days and moments that there are. */
  private static final BigInteger NEVER = BigInteger.TWO.pow(120);

  private static final FieldSpec TAGS =
      new FieldSpec(4, "tags", new FieldType.ListOf(FieldType.Scalar.STRING), false);

  @ParameterizedTest
  @MethodSource("badTypes")
  void typeThatCannotBeStoredIsRefused(String message, TypeSpec type) {
    assertThatThrownBy(() -> Schema.of(1, List.of(DynamicRecord.type(type)), List.of()))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(message);
  }

  static Stream<Arguments> badTypes() {
    FieldSpec listOfLists =
        new FieldSpec(
            5, "rows", new FieldType.ListOf(new FieldType.ListOf(FieldType.Scalar.INT)), false);
    FieldSpec badMap =
        new FieldSpec(
            5, "map", new FieldType.MapOf(FieldType.Scalar.DOUBLE, FieldType.Scalar.INT), false);
    return Stream.of(
        Arguments.of("no primary key", TypeSpec.of("T", List.of(ID), List.of())),
        Arguments.of("no field with number 9", TypeSpec.of("T", List.of(ID), List.of(9))),
        Arguments.of("can be null", TypeSpec.of("T", List.of(ID, NAME), List.of(2))),
        Arguments.of("single values", TypeSpec.of("T", List.of(ID, TAGS), List.of(4))),
        Arguments.of("twice", TypeSpec.of("T", List.of(ID), List.of(1, 1))),
        Arguments.of(
            "have number 1",
            TypeSpec.of(
                "T", List.of(ID, new FieldSpec(1, "x", FieldType.Scalar.INT, false)), List.of(1))),
        Arguments.of(
            "called 'id'",
            TypeSpec.of(
                "T", List.of(ID, new FieldSpec(2, "id", FieldType.Scalar.INT, false)), List.of(1))),
        Arguments.of(
            "collections of collections", TypeSpec.of("T", List.of(ID, listOfLists), List.of(1))),
        Arguments.of("keys are", TypeSpec.of("T", List.of(ID, badMap), List.of(1))),
        Arguments.of(
            "must be an Instant",
            new TypeSpec(
                "T",
                List.of(ID, NAME),
                List.of(1),
                false,
                Optional.of(new TypeSpec.Expiry(2, Duration.ZERO)),
                List.of())),
        Arguments.of("not in the schema", related(NAME, "Nobody", DeleteRule.CASCADE)),
        Arguments.of("one field of type LONG", related(NAME, "T", DeleteRule.CASCADE)),
        Arguments.of(
            "primary key has 2 fields",
            new TypeSpec(
                "T",
                List.of(ID, new FieldSpec(2, "other", FieldType.Scalar.LONG, false)),
                List.of(1, 2),
                false,
                Optional.empty(),
                List.of(new TypeSpec.Relation(2, "T", DeleteRule.CASCADE)))),
        Arguments.of(
            "read as its default, 7",
            related(
                new FieldSpec(2, "other", FieldType.Scalar.LONG, true, Optional.of("7")),
                "T",
                DeleteRule.NULLIFY)),
        Arguments.of(
            "cannot be null",
            related(
                new FieldSpec(2, "other", FieldType.Scalar.LONG, false), "T", DeleteRule.NULLIFY)));
  }

  private static TypeSpec related(FieldSpec field, String target, DeleteRule rule) {
    return new TypeSpec(
        "T",
        List.of(ID, field),
        List.of(1),
        false,
        Optional.empty(),
        List.of(new TypeSpec.Relation(2, target, rule)));
  }

  /** Else a store that has it could not even be opened with a schema that has it no more. */
  @Test
  void storedTypeThatBecomesItsDefaultInsteadOfNullIsStillRead() {
    FieldSpec other = new FieldSpec(2, "other", FieldType.Scalar.LONG, true, Optional.of("7"));
    TypeSpec spec = related(other, "T", DeleteRule.NULLIFY);
    Schema stored = new Schema(1, List.of(DynamicRecord.type(spec)), List.of(), List.of());

    assertThat(Schema.parse(stored.toBytes()).toBytes()).isEqualTo(stored.toBytes());
  }

  @ParameterizedTest
  @MethodSource("badIndexes")
  void indexThatCannotBeKeptIsRefused(String message, IndexSpec index) {
    RecordType<DynamicRecord> type =
        DynamicRecord.type(TypeSpec.of("T", List.of(ID, NAME, PRICE, TAGS, DAY, AT), List.of(1)));

    assertThatThrownBy(() -> Schema.of(1, List.of(type), List.of(index)))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("'bad'")
        .hasMessageContaining(message);
  }

  static Stream<Arguments> badIndexes() {
    return Stream.of(
        Arguments.of("cents", index(IndexKind.SUM, 3)),
        Arguments.of("not in the schema", IndexSpec.of("bad", "X", IndexKind.VALUE, columns(1))),
        Arguments.of("its elements with []", index(IndexKind.VALUE, 4)),
        Arguments.of("has no columns", index(IndexKind.MIN)),
        Arguments.of("only VALUE indexes can be unique", index(IndexKind.COUNT, 2).asUnique(false)),
        Arguments.of(
            "only VALUE indexes cover", index(IndexKind.COUNT, 2).withCovering(columns(1))),
        Arguments.of("versions = true", index(IndexKind.VERSION, 2)),
        Arguments.of("it must be a String", index(IndexKind.TEXT, 1)),
        Arguments.of("whose columns have no direction", descendingText()),
        Arguments.of("write 'is null'", index(IndexKind.VALUE, 2).withFilter(equal(2, null))),
        Arguments.of("type LONG with x", index(IndexKind.VALUE, 2).withFilter(equal(1, "x"))),
        Arguments.of("type STRING with 7", index(IndexKind.VALUE, 2).withFilter(equal(2, 7L))),
        Arguments.of(
            "type DATE with", index(IndexKind.VALUE, 2).withFilter(equal(5, Long.MAX_VALUE))),
        Arguments.of("type INSTANT with", index(IndexKind.VALUE, 2).withFilter(equal(6, NEVER))));
  }

  private static IndexSpec descendingText() {
    ColumnSpec name = new ColumnSpec(ColumnSpec.of(2).path(), true);
    return IndexSpec.of("bad", "T", IndexKind.TEXT, List.of(name));
  }

  private static IndexFilter equal(int field, @Nullable Object operand) {
    return new IndexFilter(
        List.of(
            new IndexFilter.Comparison(ColumnSpec.of(field), IndexFilter.Operator.EQ, operand)));
  }

  @Test
  void filterThatComparesWithAnElementOfTheFieldIsAccepted() {
    RecordType<DynamicRecord> type =
        DynamicRecord.type(TypeSpec.of("T", List.of(ID, NAME, PRICE, TAGS), List.of(1)));
    IndexSpec number = index(IndexKind.VALUE, 2).withFilter(equal(1, 7L));
    IndexSpec text = index(IndexKind.VALUE, 2).withFilter(equal(2, "x"));

    assertThat(Schema.of(1, List.of(type), List.of(number)).indexes()).hasSize(1);
    assertThat(Schema.of(1, List.of(type), List.of(text)).indexes()).hasSize(1);
  }

  private static IndexSpec index(IndexKind kind, int... fields) {
    return IndexSpec.of("bad", "T", kind, columns(fields));
  }

  private static List<ColumnSpec> columns(int... fields) {
    return Arrays.stream(fields).mapToObj(ColumnSpec::of).toList();
  }

  @Test
  void columnOfAnUnknownFieldIsRefused() {
    RecordType<DynamicRecord> type = DynamicRecord.type(TypeSpec.of("T", List.of(ID), List.of(1)));

    assertThatThrownBy(() -> Schema.of(1, List.of(type), List.of(index(IndexKind.VALUE, 7))))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("field 7");
  }

  @Test
  void twoIndexesOfOneNameAreRefused() {
    RecordType<DynamicRecord> type = DynamicRecord.type(TypeSpec.of("T", List.of(ID), List.of(1)));
    IndexSpec index = index(IndexKind.VALUE, 1);

    assertThatThrownBy(() -> Schema.of(1, List.of(type), List.of(index, index)))
        .hasMessageContaining("Two indexes are called 'bad'");
  }

  @Test
  void indexThatARelationshipNeedsIsAdded() {
    TypeSpec spec =
        new TypeSpec(
            "T",
            List.of(ID, new FieldSpec(2, "parent", FieldType.Scalar.LONG, true)),
            List.of(1),
            false,
            Optional.empty(),
            List.of(new TypeSpec.Relation(2, "T", DeleteRule.RESTRICT)));

    Schema schema = Schema.of(1, List.of(DynamicRecord.type(spec)), List.of());
    assertThat(schema.indexes()).extracting(IndexSpec::name).containsExactly("T_2_implied");
  }
}
