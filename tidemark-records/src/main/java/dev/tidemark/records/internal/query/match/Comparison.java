package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.internal.query.condition.Condition;

/** The truth of an operator for each outcome of a comparison. */
enum Comparison {
  EQ(false, true, false),
  NE(true, false, true),
  LT(true, false, false),
  LE(true, true, false),
  GT(false, false, true),
  GE(false, true, true);

  private final boolean ifLess;
  private final boolean ifEqual;
  private final boolean ifGreater;

  Comparison(boolean ifLess, boolean ifEqual, boolean ifGreater) {
    this.ifLess = ifLess;
    this.ifEqual = ifEqual;
    this.ifGreater = ifGreater;
  }

  static Comparison of(Condition.Operator operator) {
    return switch (operator) {
      case EQ -> EQ;
      case NE -> NE;
      case LT -> LT;
      case LE -> LE;
      case GT -> GT;
      case GE -> GE;
    };
  }

  /** Whether it holds for a column that compares to its operand like this. */
  int of(int order) {
    return RowTest.truth(order < 0 ? ifLess : order == 0 ? ifEqual : ifGreater);
  }

  /** Whether only equality matters. */
  boolean isEquality() {
    return this == EQ || this == NE;
  }

  /** Whether it holds for a column that is equal to its operand or is not. */
  int of(boolean equal) {
    return RowTest.truth(equal == ifEqual);
  }
}
