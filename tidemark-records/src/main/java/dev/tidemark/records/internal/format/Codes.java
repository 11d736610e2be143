package dev.tidemark.records.internal.format;

import dev.tidemark.records.changes.ModType;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.ZeroGroups;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers by which the constants of an enum are stored. They are part of the format: a new
 * constant goes to the end of its list, and none changes its place.
 */
public final class Codes<E extends Enum<E>> {
  /** The constants of {@link CaptureType}. */
  public static final Codes<CaptureType> CAPTURE_TYPES =
      new Codes<>(
          "capture type",
          0,
          List.of(
              CaptureType.OLD_AND_NEW_VALUES,
              CaptureType.NEW_VALUES,
              CaptureType.NEW_ROW,
              CaptureType.NEW_ROW_AND_OLD_VALUES));

  /** The constants of {@link DeleteRule}. */
  public static final Codes<DeleteRule> DELETE_RULES =
      new Codes<>(
          "delete rule",
          0,
          List.of(
              DeleteRule.NO_ACTION, DeleteRule.RESTRICT, DeleteRule.NULLIFY, DeleteRule.CASCADE));

  /** The constants of {@link IndexKind}. */
  public static final Codes<IndexKind> INDEX_KINDS =
      new Codes<>(
          "kind of index",
          1,
          List.of(
              IndexKind.VALUE,
              IndexKind.COUNT,
              IndexKind.COUNT_NOT_NULL,
              IndexKind.COUNT_UPDATES,
              IndexKind.SUM,
              IndexKind.MIN,
              IndexKind.MAX,
              IndexKind.MIN_EVER,
              IndexKind.MAX_EVER,
              IndexKind.AVERAGE,
              IndexKind.RANK,
              IndexKind.VERSION,
              IndexKind.TEXT));

  /** The constants of {@link ZeroGroups}. */
  public static final Codes<ZeroGroups> ZERO_GROUPS =
      new Codes<>(
          "rule for groups of zero",
          0,
          List.of(ZeroGroups.BY_KIND, ZeroGroups.REMOVE, ZeroGroups.KEEP));

  /** The constants of {@link ModType}. */
  public static final Codes<ModType> MOD_TYPES =
      new Codes<>("kind of change", 0, List.of(ModType.INSERT, ModType.UPDATE, ModType.DELETE));

  /** The constants of {@link IndexState}. */
  public static final Codes<IndexState> INDEX_STATES =
      new Codes<>(
          "index state",
          0,
          List.of(
              IndexState.DISABLED,
              IndexState.WRITE_ONLY,
              IndexState.READABLE,
              IndexState.READABLE_UNIQUE_PENDING));

  /** The constants of {@link ColumnSpec.Part}. */
  public static final Codes<ColumnSpec.Part> PARTS =
      new Codes<>(
          "part",
          0,
          List.of(
              ColumnSpec.Part.WHOLE,
              ColumnSpec.Part.ELEMENTS,
              ColumnSpec.Part.KEYS,
              ColumnSpec.Part.VALUES));

  /** The constants of {@link FieldType.Scalar}. */
  public static final Codes<FieldType.Scalar> SCALARS =
      new Codes<>(
          "scalar type",
          1,
          List.of(
              FieldType.Scalar.BOOLEAN,
              FieldType.Scalar.BYTE,
              FieldType.Scalar.SHORT,
              FieldType.Scalar.INT,
              FieldType.Scalar.LONG,
              FieldType.Scalar.CHAR,
              FieldType.Scalar.FLOAT,
              FieldType.Scalar.DOUBLE,
              FieldType.Scalar.STRING,
              FieldType.Scalar.BYTES,
              FieldType.Scalar.UUID,
              FieldType.Scalar.BIG_INTEGER,
              FieldType.Scalar.DECIMAL,
              FieldType.Scalar.INSTANT,
              FieldType.Scalar.DATE,
              FieldType.Scalar.DATE_TIME,
              FieldType.Scalar.DURATION));

  /** The constants of {@link IndexFilter.Operator}. */
  public static final Codes<IndexFilter.Operator> OPERATORS =
      new Codes<>(
          "operator",
          0,
          List.of(
              IndexFilter.Operator.EQ,
              IndexFilter.Operator.NE,
              IndexFilter.Operator.LT,
              IndexFilter.Operator.LE,
              IndexFilter.Operator.GT,
              IndexFilter.Operator.GE,
              IndexFilter.Operator.IS_NULL,
              IndexFilter.Operator.IS_NOT_NULL));

  private final String what;
  private final int first;
  private final List<E> constants;
  private final Map<E, Integer> codes;

  /** Constants with the codes from {@code first} on. */
  private Codes(String what, int first, List<E> constants) {
    this.what = what;
    this.first = first;
    this.constants = constants;
    this.codes = new EnumMap<>(constants.getFirst().getDeclaringClass());
    for (E constant : constants) {
      codes.put(constant, first + codes.size());
    }
  }

  /** The number by which {@code constant} is stored. */
  public int of(E constant) {
    Integer code = codes.get(constant);
    if (code == null) {
      throw new IllegalStateException("The %s %s has no code".formatted(what, constant));
    }
    return code;
  }

  /**
   * The constant that is stored as {@code code}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public E constant(int code) {
    int place = code - first;
    if (place < 0 || place >= constants.size()) {
      throw new IllegalArgumentException("There is no %s %d".formatted(what, code));
    }
    return constants.get(place);
  }

  /** Whether a constant is stored as {@code code}. */
  public boolean has(int code) {
    return code >= first && code - first < constants.size();
  }
}
