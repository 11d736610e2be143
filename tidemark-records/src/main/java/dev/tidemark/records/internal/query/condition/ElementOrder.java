package dev.tidemark.records.internal.query.condition;

import dev.tidemark.kv.tuple.Tuple;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The order of elements of keys, equal to that of their packed bytes but computed without packing.
 * So a filter and an index never disagree.
 */
public final class ElementOrder {
  /** The order of elements that are not null. */
  public static final Comparator<Object> COMPARATOR = ElementOrder::compare;

  /** The order of elements in an ascending column. */
  public static final Comparator<@Nullable Object> NULLS_FIRST =
      Comparator.nullsFirst(ElementOrder::compare);

  private ElementOrder() {}

  /** Compares two elements that are not null. */
  // Plain instanceof tests in the order of likelihood, because this runs for each row of a scan.
  public static int compare(Object one, Object other) {
    if (one instanceof Long a && other instanceof Long b) {
      return Long.compare(a, b);
    }
    if (one instanceof String a && other instanceof String b) {
      return compare(a, b);
    }
    if (one instanceof Double a && other instanceof Double b) {
      return Long.compare(sortable(a), sortable(b));
    }
    if (one instanceof byte[] a && other instanceof byte[] b) {
      return Arrays.compareUnsigned(a, b);
    }
    if (one instanceof Boolean a && other instanceof Boolean b) {
      return Boolean.compare(a, b);
    }
    return compareOthers(one, other);
  }

  private static int compareOthers(Object one, Object other) {
    if (one instanceof Float a && other instanceof Float b) {
      return Long.compare(sortable(a), sortable(b));
    }
    if (one instanceof UUID a && other instanceof UUID b) {
      int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
      return high != 0
          ? high
          : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }
    if (isWhole(one) && isWhole(other)) {
      return big(one).compareTo(big(other));
    }
    return Tuple.of(one).compareTo(Tuple.of(other));
  }

  /** Whether two elements that are not null are the same. */
  public static boolean areEqual(Object one, Object other) {
    if ((one instanceof Long && other instanceof Long)
        || (one instanceof String && other instanceof String)) {
      return one.equals(other);
    }
    return compare(one, other) == 0;
  }

  /**
   * Compares by code points, as UTF-8 does. Chars are in that order except surrogates, which come
   * last.
   */
  private static int compare(String one, String other) {
    int length = Math.min(one.length(), other.length());
    for (int i = 0; i < length; i++) {
      char a = one.charAt(i);
      char b = other.charAt(i);
      if (a != b) {
        return Character.isSurrogate(a) == Character.isSurrogate(b)
            ? Character.compare(a, b)
            : Character.isSurrogate(a) ? 1 : -1;
      }
    }
    return Integer.compare(one.length(), other.length());
  }

  /** A number that orders as {@code value} does among doubles. */
  public static long sortable(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return bits ^ ((bits >> 63) & Long.MAX_VALUE);
  }

  /** A number that orders as {@code value} does among floats. */
  public static long sortable(float value) {
    int bits = Float.floatToRawIntBits(value);
    return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
  }

  private static boolean isWhole(Object element) {
    return element instanceof Long || element instanceof Integer || element instanceof BigInteger;
  }

  private static BigInteger big(Object element) {
    return element instanceof BigInteger number
        ? number
        : BigInteger.valueOf(((Number) element).longValue());
  }
}
