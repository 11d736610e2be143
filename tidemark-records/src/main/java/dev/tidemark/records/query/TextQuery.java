package dev.tidemark.records.query;

import dev.tidemark.records.internal.index.TextWords;
import dev.tidemark.records.schema.IndexKind;
import java.util.List;

/**
 * A search for words in texts, as an index of kind {@link IndexKind#TEXT} has them. Words are runs
 * of letters and digits; case does not matter.
 */
public sealed interface TextQuery {
  /** The largest number of words of a search. */
  int MAX_WORDS = 1_000;

  /**
   * Texts that have all words, in any order.
   *
   * @param words as the index has them
   */
  record All(List<String> words) implements TextQuery {
    /** Copies the list. */
    public All {
      words = checked(words);
    }
  }

  /**
   * Texts that have one of the words.
   *
   * @param words as the index has them
   */
  record Any(List<String> words) implements TextQuery {
    /** Copies the list. */
    public Any {
      words = checked(words);
    }
  }

  /**
   * Texts that have the words one after the other.
   *
   * @param words as the index has them
   */
  record Phrase(List<String> words) implements TextQuery {
    /** Copies the list. */
    public Phrase {
      words = checked(words);
    }
  }

  /**
   * Texts that have a word with a given beginning.
   *
   * @param start as the index has it
   */
  record Prefix(String start) implements TextQuery {}

  /** Texts that have all words of {@code text}. */
  static TextQuery all(String text) {
    return new All(TextWords.of(text));
  }

  /** Texts that have one of the words of {@code text}. */
  static TextQuery any(String text) {
    return new Any(TextWords.of(text));
  }

  /** Texts that have the words of {@code text} one after the other. */
  static TextQuery phrase(String text) {
    return new Phrase(TextWords.of(text));
  }

  /**
   * Texts with a word that begins with {@code start}.
   *
   * @throws IllegalArgumentException if that is not one word, or the beginning of one
   */
  static TextQuery prefix(String start) {
    List<String> words = TextWords.of(start);
    if (words.size() != 1) {
      throw new IllegalArgumentException(
          "\"%s\" is %d words; give the begin of one".formatted(start, words.size()));
    }
    return new Prefix(words.getFirst());
  }

  private static List<String> checked(List<String> words) {
    if (words.isEmpty()) {
      throw new IllegalArgumentException("A search has no words; give it one at least");
    }
    if (words.size() > MAX_WORDS) {
      throw new IllegalArgumentException(
          "A search has %,d words, and each takes time to plan and to look for; give it %,d at most"
              .formatted(words.size(), MAX_WORDS));
    }
    return List.copyOf(words);
  }
}
