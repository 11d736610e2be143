package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;
import java.util.List;

/**
 * A condition on records. It is true, false or unknown: comparisons with null are unknown, as in
 * SQL, and a record matches if the condition is true.
 *
 * <p>Columns are ascending and, but for {@link AnyMatch}, do not fan out. Values are compared as
 * elements of keys, in the order of the store, so that an index and a filter always agree.
 */
public sealed interface Condition {
  /** The condition that every record meets. */
  Condition TRUE = new Always(true);

  /** How a column is compared. */
  enum Operator {
    /** Equal. */
    EQ,
    /** Not equal. */
    NE,
    /** Less. */
    LT,
    /** Less or equal. */
    LE,
    /** Greater. */
    GT,
    /** Greater or equal. */
    GE
  }

  /**
   * A constant.
   *
   * @param value true or false
   */
  record Always(boolean value) implements Condition {}

  /** A comparison of a column with a value. */
  record Compare(ColumnSpec column, Operator operator, Operand operand) implements Condition {}

  /**
   * Whether a column is one of several values; unknown if it is null, or if it is none of them and
   * null is among them.
   */
  record In(ColumnSpec column, Operand operands) implements Condition {}

  /** Whether a column is null; never unknown. */
  record IsNull(ColumnSpec column) implements Condition {}

  /** Whether a text begins with another. */
  record StartsWith(ColumnSpec column, Operand operand) implements Condition {}

  /** Whether a text matches a pattern with % for any characters, _ for one and \ before either. */
  record Like(ColumnSpec column, Operand pattern) implements Condition {}

  /** The kinds of searches in the words of a text. */
  enum Words {
    /** A word. */
    ONE,
    /** One of several words. */
    ANY,
    /** A word with a given beginning. */
    PREFIX,
    /** Several words in sequence. */
    PHRASE
  }

  /**
   * Whether a text has words, as {@link dev.tidemark.records.internal.index.TextWords} tokenizes
   * it, whatever indexes there are.
   *
   * @param operand a word; for {@link Words#ANY} and {@link Words#PHRASE} a list of them
   */
  record HasWords(ColumnSpec column, Words words, Operand operand) implements Condition {}

  /**
   * Whether one of the elements of a list or set, or of the keys or values of a map, meets a
   * condition.
   *
   * @param column leads to the elements: its last step fans out, none before it does
   * @param element the condition on each element. Its columns begin at the element: with the fields
   *     of a nested record, or {@link #ELEMENT} for a plain value
   */
  record AnyMatch(ColumnSpec column, Condition element) implements Condition {}

  /** True if all are, false if one is false, else unknown. */
  record And(List<Condition> parts) implements Condition {
    /** Copies the list. */
    public And {
      parts = List.copyOf(parts);
    }
  }

  /** True if one is, false if all are false, else unknown. */
  record Or(List<Condition> parts) implements Condition {
    /** Copies the list. */
    public Or {
      parts = List.copyOf(parts);
    }
  }

  /** The opposite; unknown if the part is. */
  record Not(Condition part) implements Condition {}

  /** Within {@link AnyMatch}: the element itself. No field has number 0. */
  ColumnSpec ELEMENT = ColumnSpec.of(0);
}
