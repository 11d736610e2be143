package dev.tidemark.kv;

/**
 * The keys from {@code begin} (included) to {@code end} (excluded).
 *
 * @param begin the first key of the range
 * @param end the first key after the range, not before {@code begin}
 */
public record KeyRange(Key begin, Key end) {
  /** Every key that a program may use. */
  public static final KeyRange ALL = new KeyRange(Key.EMPTY, Key.END);

  /** Refuses an inverted range. */
  public KeyRange {
    if (begin.compareTo(end) > 0) {
      throw UsageException.invertedRange(begin, end);
    }
  }

  /** The range from {@code begin} (included) to {@code end} (excluded). */
  public static KeyRange of(Key begin, Key end) {
    return new KeyRange(begin, end);
  }

  /** All keys that begin with {@code prefix}, the prefix itself included. */
  public static KeyRange startingWith(Key prefix) {
    return new KeyRange(prefix, prefix.size() == 0 ? Key.END : prefix.afterPrefix());
  }

  /** Just {@code key}. */
  public static KeyRange single(Key key) {
    return new KeyRange(key, key.next());
  }

  /** Whether no key lies in the range. */
  public boolean isEmpty() {
    return begin.equals(end);
  }

  /** Whether {@code key} lies in the range. */
  public boolean contains(Key key) {
    return begin.compareTo(key) <= 0 && key.compareTo(end) < 0;
  }

  /** Whether some key lies in both ranges. */
  public boolean intersects(KeyRange other) {
    return begin.compareTo(other.end) < 0
        && other.begin.compareTo(end) < 0
        && !isEmpty()
        && !other.isEmpty();
  }

  @Override
  public String toString() {
    return "[" + begin + ", " + end + ")";
  }
}
