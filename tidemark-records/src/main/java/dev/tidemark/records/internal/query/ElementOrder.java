package dev.tidemark.records.internal.query;

import dev.tidemark.kv.Tuple;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The order of elements of keys: that of their packed bytes. Elements of one column are of one
 * type; null comes first.
 */
public final class ElementOrder implements Comparator<@Nullable Object> {
  /** The order. */
  public static final ElementOrder INSTANCE = new ElementOrder();

  private ElementOrder() {}

  @Override
  public int compare(@Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      return Boolean.compare(left != null, right != null);
    }
    return switch (left) {
      case Long a when right instanceof Long b -> Long.compare(a, b);
      case String a when right instanceof String b -> text(a, b);
      case Double a when right instanceof Double b ->
          Long.compare(
              ordered(Double.doubleToRawLongBits(a)), ordered(Double.doubleToRawLongBits(b)));
      case Float a when right instanceof Float b ->
          Integer.compare(ordered(Float.floatToRawIntBits(a)), ordered(Float.floatToRawIntBits(b)));
      case Boolean a when right instanceof Boolean b -> Boolean.compare(a, b);
      case byte[] a when right instanceof byte[] b -> Arrays.compareUnsigned(a, b);
      case UUID a when right instanceof UUID b -> uuid(a, b);
      case BigInteger a when right instanceof BigInteger b -> a.compareTo(b);
      case BigInteger a when right instanceof Long b -> a.compareTo(BigInteger.valueOf(b));
      case Long a when right instanceof BigInteger b -> BigInteger.valueOf(a).compareTo(b);
      default -> Tuple.of(left).compareTo(Tuple.of(right));
    };
  }

  /** Whether two elements are the same. */
  public static boolean same(@Nullable Object left, @Nullable Object right) {
    return INSTANCE.compare(left, right) == 0;
  }

  /** Texts are kept as UTF-8, where characters beyond 16 bits come after all others. */
  private static int text(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean surrogates = Character.isSurrogate(a) != Character.isSurrogate(b);
        return surrogates
            ? Boolean.compare(Character.isSurrogate(a), Character.isSurrogate(b))
            : a - b;
      }
    }
    return left.length() - right.length();
  }

  /** Raw bits so that their order is that of the numbers; NaN is beyond both ends. */
  private static long ordered(long bits) {
    return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
  }

  private static int ordered(int bits) {
    return bits < 0 ? bits ^ Integer.MAX_VALUE : bits;
  }

  private static int uuid(UUID left, UUID right) {
    int high = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
  }
}
