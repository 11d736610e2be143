package dev.tidemark.kv;

/**
 * A key named by its position among the keys that are stored.
 *
 * <p>It starts at the last stored key below {@code key} (or at it, with {@code orEqual}) and moves
 * {@code offset} stored keys on. The four factories are the positions that programs need; {@link
 * #add} moves one further.
 *
 * @param key where to look
 * @param orEqual whether the start may be {@code key} itself
 * @param offset how many stored keys to move on; negative moves back
 */
public record KeySelector(Key key, boolean orEqual, int offset) {
  /** The last stored key before {@code key}. */
  public static KeySelector lastLessThan(Key key) {
    return new KeySelector(key, false, 0);
  }

  /** The last stored key before {@code key}, or {@code key} itself. */
  public static KeySelector lastLessOrEqual(Key key) {
    return new KeySelector(key, true, 0);
  }

  /** The first stored key after {@code key}. */
  public static KeySelector firstGreaterThan(Key key) {
    return new KeySelector(key, true, 1);
  }

  /** The first stored key after {@code key}, or {@code key} itself. */
  public static KeySelector firstGreaterOrEqual(Key key) {
    return new KeySelector(key, false, 1);
  }

  /** The selector {@code keys} stored keys further on; negative moves back. */
  public KeySelector add(int keys) {
    return new KeySelector(key, orEqual, Math.addExact(offset, keys));
  }
}
