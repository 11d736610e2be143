package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.internal.index.TextWords;
import dev.tidemark.records.internal.query.condition.Condition.Compare;
import dev.tidemark.records.internal.query.condition.Condition.HasWords;
import dev.tidemark.records.internal.query.condition.Condition.In;
import dev.tidemark.records.internal.query.condition.Condition.Operator;
import dev.tidemark.records.internal.query.condition.Condition.StartsWith;
import dev.tidemark.records.internal.query.condition.Condition.Words;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/*
 * An index of kind TEXT is to the words of a text what an index of elements is to a list: an entry for each.
 * So its entries have a column of their own, the words of the text, which fans out. Unlike lists, a text that
 * is null has no entry, and a word is nothing but itself; so what an access finds by words is exact.
 */

/** Conditions on the words of texts. */
public final class TextConditions {
  /** Behind the path of a text: its words. No field has number 0. */
  private static final ColumnSpec.Step WORDS = new ColumnSpec.Step(0, ColumnSpec.Part.ELEMENTS);

  private TextConditions() {}

  /** What {@code query} asks of the text in {@code column}. */
  public static Condition of(ColumnSpec column, TextQuery query) {
    return switch (query) {
      case TextQuery.All(var words) -> all(column, words);
      case TextQuery.Any(var words) -> new HasWords(column, Words.ANY, new Operand.Value(words));
      case TextQuery.Phrase(var words) ->
          new HasWords(column, Words.PHRASE, new Operand.Value(words));
      case TextQuery.Prefix(var start) ->
          new HasWords(column, Words.PREFIX, new Operand.Value(start));
    };
  }

  private static Condition all(ColumnSpec column, List<String> words) {
    return Normalizer.all(
        words.stream().distinct().<Condition>map(word -> one(column, word)).toList());
  }

  private static HasWords one(ColumnSpec column, Object word) {
    return new HasWords(column, Words.ONE, new Operand.Value(word));
  }

  /** The same with each of several words once, and no list for one word. */
  static HasWords canonical(HasWords condition) {
    if (!(condition.operand() instanceof Operand.Value(Object given))
        || !(given instanceof List<?> words)) {
      return condition;
    }
    List<?> different = condition.words() == Words.ANY ? Normalizer.sorted(words) : words;
    if (different.size() == 1) {
      return one(condition.column(), Objects.requireNonNull(different.getFirst()));
    }
    return new HasWords(condition.column(), condition.words(), new Operand.Value(different));
  }

  /** An equivalent condition that adds the words of a phrase, which an index can find. */
  static Condition simplify(HasWords condition) {
    HasWords canonical = canonical(condition);
    if (canonical.words() != Words.PHRASE
        || !(canonical.operand() instanceof Operand.Value(Object given))
        || !(given instanceof List<?> words)) {
      return canonical;
    }
    List<Condition> parts = new ArrayList<>();
    words.stream().distinct().forEach(word -> parts.add(one(canonical.column(), word)));
    parts.add(canonical);
    return new Condition.And(parts);
  }

  /** The test of texts; {@code operand} is a word, or a list of them. */
  public static Predicate<String> test(Words words, Object operand) {
    return switch (words) {
      case ONE -> text -> TextWords.of(text).contains((String) operand);
      case ANY -> {
        Set<?> wanted = Set.copyOf((List<?>) operand);
        yield text -> TextWords.of(text).stream().anyMatch(wanted::contains);
      }
      case PREFIX ->
          text -> TextWords.of(text).stream().anyMatch(word -> word.startsWith((String) operand));
      case PHRASE -> text -> Collections.indexOfSubList(TextWords.of(text), (List<?>) operand) >= 0;
    };
  }

  // ---- the column of an index

  /** The column with the words of {@code text}. */
  public static ColumnSpec words(ColumnSpec text) {
    List<ColumnSpec.Step> path = new ArrayList<>(text.path());
    path.add(WORDS);
    return new ColumnSpec(path, false);
  }

  /** Whether {@code column} has the words of a text. */
  public static boolean isWords(ColumnSpec column) {
    return column.path().getLast().equals(WORDS);
  }

  /** The text that {@code column} has the words of. */
  public static ColumnSpec text(ColumnSpec column) {
    return new ColumnSpec(column.path().subList(0, column.path().size() - 1), false);
  }

  /** The condition on one word that {@code condition}, which is no phrase, makes. */
  public static Condition ofWord(HasWords condition) {
    ColumnSpec column = words(condition.column());
    return switch (condition.words()) {
      case ONE -> new Compare(column, Operator.EQ, condition.operand());
      case ANY -> new In(column, condition.operand());
      case PREFIX -> new StartsWith(column, condition.operand());
      case PHRASE -> throw new IllegalArgumentException("A phrase is more than one word");
    };
  }
}
