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
 * Cuts texts into words: runs of letters, digits and marks, small, and in one of several ways to
 * write the same (NFKC). Each ideograph is a word, because nothing parts words in such texts. A
 * word of more than {@value #LENGTH_MAX} characters is cut off there.
 *
 * <p>What a letter is differs between Java runtimes, because each has the Unicode tables of its
 * time. Entries of an index are removed by cutting the old text again, maybe by another runtime. So
 * only characters count that Unicode 15.0 has, which is as old as Java 21; for those Unicode
 * promises that normal forms and small letters stay. All others part words.
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

  /** The same with all characters that this Java runtime knows. */
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
