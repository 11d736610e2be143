package dev.tidemark.records.internal.query.condition;

import java.util.List;

/** Simplifies LIKE to conditions that indexes can serve. */
final class Patterns {
  private Patterns() {}

  /**
   * A condition equivalent to {@code like}: an equality if the pattern has no wildcards, a prefix
   * if its only wildcard is a % at the end, and the prefix and the pattern if it begins with plain
   * text.
   */
  static Condition simplify(Condition.Like like) {
    if (!(like.pattern() instanceof Operand.Value(Object given))
        || !(given instanceof String pattern)
        || pattern.indexOf('\\') >= 0) {
      return like;
    }
    int plain = plainLength(pattern);
    if (plain == pattern.length()) {
      return new Condition.Compare(like.column(), Condition.Operator.EQ, like.pattern());
    }
    if (plain == 0) {
      return like;
    }
    Condition beginning =
        new Condition.StartsWith(like.column(), new Operand.Value(pattern.substring(0, plain)));
    boolean onlyBeginning = plain == pattern.length() - 1 && pattern.charAt(plain) == '%';
    return onlyBeginning ? beginning : new Condition.And(List.of(beginning, like));
  }

  private static int plainLength(String pattern) {
    for (int i = 0; i < pattern.length(); i++) {
      if (pattern.charAt(i) == '%' || pattern.charAt(i) == '_') {
        return i;
      }
    }
    return pattern.length();
  }
}
