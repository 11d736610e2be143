package dev.tidemark.records.query;

import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.LikePattern;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.schema.IndexKind;
import java.util.List;

/**
 * A field that holds a string.
 *
 * @param <R> the Java class of the records
 */
public final class TextField<R> extends Field<R, String> {
  TextField(Parts<R, String> parts) {
    super(parts);
  }

  /** Records whose text begins with {@code prefix}; all records with a text if it is empty. */
  public Filter<R> startsWith(String prefix) {
    return new Filter<>(new Condition.StartsWith(single(), new Operand.Value(operand(prefix))));
  }

  /**
   * Records whose text matches {@code pattern} as a whole: {@code %} stands for any characters,
   * {@code _} for one, and {@code \} before one of these three for itself.
   *
   * @throws IllegalArgumentException if a {@code \} stands before anything else
   */
  public Filter<R> like(String pattern) {
    LikePattern.check(name(), pattern);
    return new Filter<>(new Condition.Like(single(), new Operand.Value(operand(pattern))));
  }

  /**
   * Records whose text matches {@code query}: {@code BODY.matches(TextQuery.phrase("group
   * commit"))}. The result is the same with and without an index of kind {@link IndexKind#TEXT};
   * with one, only records with such words are read.
   */
  public Filter<R> matches(TextQuery query) {
    words(query).forEach(this::operand);
    return new Filter<>(TextConditions.of(single(), query));
  }

  private static List<String> words(TextQuery query) {
    return switch (query) {
      case TextQuery.All(var words) -> words;
      case TextQuery.Any(var words) -> words;
      case TextQuery.Phrase(var words) -> words;
      case TextQuery.Prefix(var start) -> List.of(start);
    };
  }
}
