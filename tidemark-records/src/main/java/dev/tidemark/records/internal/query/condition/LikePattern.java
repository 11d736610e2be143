package dev.tidemark.records.internal.query.condition;

import java.util.Arrays;

/** A pattern of LIKE: % matches any characters, _ matches one, \ escapes either. */
public final class LikePattern {
  private static final int ANY_ONE = -1;
  private static final int ANY = -2;

  private final int[] pattern;

  private LikePattern(int[] pattern) {
    this.pattern = pattern;
  }

  /**
   * Checks that every backslash in a {@code pattern} for {@code field} escapes a special character.
   *
   * @throws IllegalArgumentException naming the place
   */
  public static void check(String field, String pattern) {
    for (int i = pattern.indexOf('\\'); i >= 0; i = pattern.indexOf('\\', i + 2)) {
      if (i + 1 == pattern.length() || "%_\\".indexOf(pattern.charAt(i + 1)) < 0) {
        throw new IllegalArgumentException(
            "The pattern '%s' for '%s' has a \\ at %d that stands before none of %% _ \\; write \\\\ for a \\ itself"
                .formatted(pattern, field, i));
      }
    }
  }

  public static LikePattern of(String text) {
    int[] pattern = new int[text.length()];
    int size = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (c == '\\' && i < text.length()) {
        int escaped = text.codePointAt(i);
        i += Character.charCount(escaped);
        pattern[size++] = escaped;
      } else {
        pattern[size++] = c == '%' ? ANY : c == '_' ? ANY_ONE : c;
      }
    }
    return new LikePattern(Arrays.copyOf(pattern, size));
  }

  /*
   * After a % the rest of the pattern is tried at one place of the text after the other. Only the last % that
   * was met needs to be tried again: if what is between two of them fits at some place, it need not fit later.
   */
  public boolean matches(String text) {
    int at = 0;
    int p = 0;
    int retryAt = -1;
    int retryPattern = -1;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      if (p < pattern.length && pattern[p] == ANY) {
        retryPattern = ++p;
        retryAt = at;
      } else if (p < pattern.length && (pattern[p] == ANY_ONE || pattern[p] == c)) {
        p++;
        at += Character.charCount(c);
      } else if (retryPattern >= 0) {
        retryAt += Character.charCount(text.codePointAt(retryAt));
        at = retryAt;
        p = retryPattern;
      } else {
        return false;
      }
    }
    while (p < pattern.length && pattern[p] == ANY) {
      p++;
    }
    return p == pattern.length;
  }
}
