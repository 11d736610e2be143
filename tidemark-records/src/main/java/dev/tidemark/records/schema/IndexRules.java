package dev.tidemark.records.schema;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.keys.KeyElements;
import java.time.DateTimeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules for indexes. */
final class IndexRules {
  private IndexRules() {}

  static void check(IndexSpec index, List<TypeSpec> types) {
    if (index.name().isEmpty()) {
      throw new SchemaException("An index over %s has no name".formatted(index.type()));
    }
    TypeSpec type =
        types.stream()
            .filter(candidate -> candidate.name().equals(index.type()))
            .findFirst()
            .orElseThrow(
                () ->
                    wrong(index, "is over %s, which is not in the schema".formatted(index.type())));
    if (index.since() < 1) {
      throw wrong(index, "is there since version %d; versions begin at 1".formatted(index.since()));
    }
    columns(index, type);
    covering(index, type);
    filter(index, type);
    kind(index, type);
  }

  private static void columns(IndexSpec index, TypeSpec type) {
    for (ColumnSpec column : index.columns()) {
      FieldType found = column.typeIn(type);
      if (!TypeRules.isKey(found)) {
        throw wrong(
            index,
            "has a column of type %s; take one of its fields, or its elements with []"
                .formatted(found));
      }
    }
  }

  private static void covering(IndexSpec index, TypeSpec type) {
    if (!index.covering().isEmpty() && index.kind() != IndexKind.VALUE) {
      throw wrong(index, "is %s; only VALUE indexes cover fields".formatted(index.kind()));
    }
    for (ColumnSpec column : index.covering()) {
      if (column.fansOut() || column.descending() || !TypeRules.isKey(column.typeIn(type))) {
        throw wrong(index, "covers something other than a single value");
      }
    }
  }

  private static void filter(IndexSpec index, TypeSpec type) {
    for (IndexFilter.Comparison comparison : index.filter().comparisons()) {
      ColumnSpec column = comparison.column();
      if (column.fansOut() || column.descending() || !TypeRules.isKey(column.typeIn(type))) {
        throw wrong(index, "compares something other than a single value in its filter");
      }
      boolean takesNone =
          comparison.operator() == IndexFilter.Operator.IS_NULL
              || comparison.operator() == IndexFilter.Operator.IS_NOT_NULL;
      if (takesNone != (comparison.operand() == null)) {
        throw wrong(
            index,
            takesNone
                ? "compares '%s' with a value".formatted(comparison.operator().text())
                : "compares '%s' with null; write 'is null'"
                    .formatted(comparison.operator().text()));
      }
      operand(index, column.typeIn(type), comparison.operand());
    }
  }

  /** An operand of another type would sort before or after all values and equal none of them. */
  private static void operand(IndexSpec index, FieldType type, @Nullable Object operand) {
    boolean fits;
    try {
      Object element = KeyElements.element(type, KeyElements.value(type, operand));
      fits = Tuple.of(element).equals(Tuple.of(operand));
    } catch (IllegalArgumentException
        | ClassCastException
        | IndexOutOfBoundsException
        | DateTimeException
        | ArithmeticException other) {
      fits = false;
    }
    if (!fits) {
      throw wrong(
          index,
          "compares a field of type %s with %s in its filter, which is no element that a key has for it; IndexFilter.parse makes them from text"
              .formatted(type, operand));
    }
  }

  private static void kind(IndexSpec index, TypeSpec type) {
    if (index.unique() && index.kind() != IndexKind.VALUE) {
      throw wrong(index, "is %s; only VALUE indexes can be unique".formatted(index.kind()));
    }
    if (index.nullsEqual() && !index.unique()) {
      throw wrong(index, "says that nulls are equal, which matters only for unique indexes");
    }
    boolean needsColumn =
        index.kind() != IndexKind.COUNT
            && index.kind() != IndexKind.COUNT_UPDATES
            && index.kind() != IndexKind.VERSION;
    if (needsColumn && index.columns().isEmpty()) {
      throw wrong(index, "has no columns");
    }
    switch (index.kind()) {
      case SUM, AVERAGE -> wholeNumber(index, type);
      case VERSION -> {
        if (!type.versions()) {
          throw wrong(
              index,
              "orders records by their versions, which %s does not keep; say versions = true"
                  .formatted(type.name()));
        }
      }
      case TEXT -> text(index, type);
      case VALUE, COUNT, COUNT_NOT_NULL, COUNT_UPDATES, MIN, MAX, MIN_EVER, MAX_EVER, RANK -> {}
    }
    boolean ordered =
        switch (index.kind()) {
          case VALUE, VERSION, RANK -> true;
          case COUNT,
              COUNT_NOT_NULL,
              COUNT_UPDATES,
              SUM,
              MIN,
              MAX,
              MIN_EVER,
              MAX_EVER,
              AVERAGE,
              TEXT ->
              false;
        };
    if (!ordered && index.columns().stream().anyMatch(ColumnSpec::descending)) {
      throw wrong(index, "is %s, whose columns have no direction".formatted(index.kind()));
    }
  }

  private static void text(IndexSpec index, TypeSpec type) {
    FieldType value = index.columns().getLast().typeIn(type);
    if (value != FieldType.Scalar.STRING) {
      throw wrong(index, "is TEXT of a column of type %s; it must be a String".formatted(value));
    }
    if (index.columns().stream().anyMatch(ColumnSpec::fansOut)) {
      throw wrong(index, "is TEXT of several values of a record; it must be one text");
    }
  }

  private static void wholeNumber(IndexSpec index, TypeSpec type) {
    FieldType value = index.columns().getLast().typeIn(type);
    if (!(value instanceof FieldType.Scalar scalar && scalar.isWholeNumber())) {
      throw wrong(
          index,
          "is %s of a column of type %s; it must be byte, short, int or long. Keep amounts as whole numbers of the smallest unit, such as cents"
              .formatted(index.kind(), value));
    }
  }

  private static SchemaException wrong(IndexSpec index, String what) {
    return new SchemaException("The index '%s' %s".formatted(index.name(), what));
  }
}
