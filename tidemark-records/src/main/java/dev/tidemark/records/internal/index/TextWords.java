package dev.tidemark.records.internal.index;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * Tokenizes texts into words: runs of letters, digits and marks in lower case and normal form NFKC.
 * Each ideograph is a word, because such texts have no separators. A longer word is truncated to
 * {@value #LENGTH_MAX} characters.
 *
 * <p>Java runtimes differ in what a letter is, because each has the Unicode tables of its time. To
 * remove entries, the old text is tokenized again, possibly by another runtime. So only characters
 * of Unicode 15.0, the version of Java 21, form words; Unicode guarantees that their normal forms
 * and lower case do not change. All other characters separate words.
 */
public final class TextWords {
  private static final int LENGTH_MAX = 100;

  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private int length;

  private TextWords() {}

  /** The words of {@code text} in their order. */
  public static List<String> of(String text) {
    return byThisRuntime(withoutLater(text));
  }

  /** The words with all characters that this Java runtime knows. */
  static List<String> byThisRuntime(String text) {
    TextWords cut = new TextWords();
    Normalizer.normalize(text, Normalizer.Form.NFKC).codePoints().forEach(cut::add);
    cut.end();
    return cut.words;
  }

  /** Characters that Unicode 15.0 has not are replaced by spaces. */
  private static String withoutLater(String text) {
    if (isEarly(text) || text.codePoints().allMatch(Assigned::contains)) {
      return text;
    }
    StringBuilder known = new StringBuilder(text.length());
    text.codePoints()
        .map(character -> Assigned.contains(character) ? character : ' ')
        .forEach(known::appendCodePoint);
    return known.toString();
  }

  /** Whether that can be seen without the table, as in most texts of Latin letters. */
  private static boolean isEarly(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= Assigned.FIRST_GAP) {
        return false;
      }
    }
    return true;
  }

  /** The characters of Unicode 15.0, read when they are first asked for. */
  private static final class Assigned {
    /** Below it there is every character. */
    private static final int FIRST_GAP = 0x378;

    private static final BitSet CHARACTERS = read("assigned-unicode-15.txt");

    static boolean contains(int character) {
      return character < FIRST_GAP || CHARACTERS.get(character);
    }

    private static BitSet read(String file) {
      BitSet characters = new BitSet();
      try (InputStream in = TextWords.class.getResourceAsStream(file)) {
        String ranges = new String(Objects.requireNonNull(in, file).readAllBytes(), US_ASCII);
        ranges
            .lines()
            .map(line -> line.split("-", 2))
            .forEach(
                range ->
                    characters.set(
                        Integer.parseInt(range[0], 16), Integer.parseInt(range[1], 16) + 1));
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
      return characters;
    }
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
