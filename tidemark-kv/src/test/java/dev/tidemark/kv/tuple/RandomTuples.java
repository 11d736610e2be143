package dev.tidemark.kv.tuple;

import dev.tidemark.kv.Versionstamp;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Elements of all types that tuples take, small and awkward values often. */
final class RandomTuples {
  private static final List<String> TEXTS =
      List.of("", "\0", "a", "a\0", "a\0b", "users", "\u007f", "é", "\uffff", "😀", "\ud7ff\ue000");
  private static final List<Long> BITS =
      List.of(
          0L,
          Long.MIN_VALUE,
          Double.doubleToRawLongBits(Double.POSITIVE_INFINITY),
          Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY),
          Double.doubleToRawLongBits(Double.NaN),
          0xfff8000000000001L,
          1L,
          Double.doubleToRawLongBits(1.5));

  private final SplittableRandom random;

  RandomTuples(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Elements of a tuple; nested ones are lists. */
  List<@Nullable Object> elements() {
    return elements(3);
  }

  private List<@Nullable Object> elements(int depth) {
    List<@Nullable Object> elements = new ArrayList<>();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      elements.add(element(depth));
    }
    return elements;
  }

  private @Nullable Object element(int depth) {
    return switch (random.nextInt(depth > 0 ? 12 : 11)) {
      case 0 -> null;
      case 1 -> bytes();
      case 2 -> text();
      case 3 -> random.nextLong() >> random.nextInt(64);
      case 4 -> (int) (random.nextLong() >> (32 + random.nextInt(32)));
      case 5 -> bigInteger();
      case 6 -> Float.intBitsToFloat(random.nextBoolean() ? random.nextInt() : floatBits());
      case 7 -> Double.longBitsToDouble(random.nextBoolean() ? random.nextLong() : pick(BITS));
      case 8 -> random.nextBoolean();
      case 9 -> new UUID(random.nextLong(), random.nextLong());
      case 10 ->
          Versionstamp.of(random.nextLong() >>> 1, random.nextInt(65_536), random.nextInt(3));
      default -> elements(depth - 1);
    };
  }

  private int floatBits() {
    return Float.floatToRawIntBits((float) Double.longBitsToDouble(pick(BITS)));
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(6)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt(-1, 1) : random.nextInt());
    }
    return bytes;
  }

  private String text() {
    if (random.nextBoolean()) {
      return pick(TEXTS);
    }
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(100);
    for (int i = 0; i < length; i++) {
      int point = random.nextInt(1 << random.nextInt(1, 21));
      text.appendCodePoint(point >= 0xd800 && point < 0xe000 ? 'x' : point);
    }
    return text.toString();
  }

  /** Numbers around powers of two, where lengths change. */
  private BigInteger bigInteger() {
    BigInteger power = BigInteger.ONE.shiftLeft(random.nextInt(random.nextInt(1, 2_039)) + 1);
    BigInteger near = power.add(BigInteger.valueOf(random.nextInt(-2, 3)));
    return random.nextBoolean() ? near : near.negate();
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
