package dev.tidemark.records.internal.index;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts texts into words: runs of letters, digits and marks, small, and in one of several ways to
 * write the same (NFKC). Each ideograph is a word, because nothing parts words in such texts. A
 * word of more than {@value #LENGTH_MAX} characters is cut off there.
 */
public final class TextWords {
  private static final int LENGTH_MAX = 100;

  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private int length;

  private TextWords() {}

  /** The words of {@code text} in their order. */
  public static List<String> of(String text) {
    TextWords cut = new TextWords();
    Normalizer.normalize(text, Normalizer.Form.NFKC).codePoints().forEach(cut::add);
    cut.end();
    return cut.words;
  }

  private void add(int character) {
    if (Character.isIdeographic(character)) {
      end();
      word.appendCodePoint(character);
      end();
    } else if (isPart(character)) {
      if (length < LENGTH_MAX) {
        word.appendCodePoint(Character.toLowerCase(character));
      }
      length++;
    } else {
      end();
    }
  }

  private static boolean isPart(int character) {
    return Character.isLetterOrDigit(character)
        || Character.getType(character) == Character.NON_SPACING_MARK
        || Character.getType(character) == Character.COMBINING_SPACING_MARK;
  }

  private void end() {
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    word.setLength(0);
    length = 0;
  }
}
