package dev.tidemark.kv.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Versionstamp;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packed tuples against fdb-java's, and their order against that of the values. */
class TupleBytesTest {
  private static final int ROUNDS = 5_000;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void bytesAreThoseOfFdbJavaInBothDirections(long seed) {
    RandomTuples random = new RandomTuples(seed);
    for (int i = 0; i < ROUNDS; i++) {
      List<@Nullable Object> elements = random.elements();
      Tuple ours = Tuple.copyOf(elements);
      var theirs = com.apple.foundationdb.tuple.Tuple.fromList(theirElements(elements));

      assertThat(ours.pack()).as("%s, round %d", ours, i).isEqualTo(theirs.pack());
      assertThat((Object) com.apple.foundationdb.tuple.Tuple.fromBytes(ours.pack()))
          .as("%s, round %d", ours, i)
          .isEqualTo(theirs);

      Tuple read = Tuple.unpack(theirs.pack());
      assertThat(read).isEqualTo(ours).hasSameHashCodeAs(ours);
      assertThat(Tuple.copyOf(read.toList())).as("round %d", i).isEqualTo(ours);
      assertThat(Arrays.deepEquals(plain(read.toList()), plain(elements)))
          .as("%s and %s, round %d", read, ours, i)
          .isTrue();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {5, 6, 7, 8})
  void byteOrderIsTheOrderOfTheValues(long seed) {
    RandomTuples random = new RandomTuples(seed);
    List<@Nullable Object> left = random.elements();
    for (int i = 0; i < ROUNDS; i++) {
      List<@Nullable Object> right = random.elements();
      int byValue = Integer.signum(compareLists(left, right));
      int byBytes =
          Integer.signum(
              Arrays.compareUnsigned(Tuple.copyOf(left).pack(), Tuple.copyOf(right).pack()));
      int byTuple = Integer.signum(Tuple.copyOf(left).compareTo(Tuple.copyOf(right)));
      assertThat(List.of(byBytes, byTuple))
          .as("%s and %s, round %d", Tuple.copyOf(left), Tuple.copyOf(right), i)
          .containsOnly(byValue);
      left = right;
    }
  }

  private static List<@Nullable Object> theirElements(List<@Nullable Object> elements) {
    return elements.stream().<@Nullable Object>map(TupleBytesTest::theirElement).toList();
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Object theirElement(@Nullable Object element) {
    return switch (element) {
      case null -> null;
      case Versionstamp stamp ->
          com.apple.foundationdb.tuple.Versionstamp.fromBytes(stamp.toByteArray());
      case List<?> list -> theirElements((List<@Nullable Object>) list);
      default -> element;
    };
  }

  /** With arrays for nested tuples and numbers as they are read back. */
  private static @Nullable Object[] plain(List<? extends @Nullable Object> elements) {
    return elements.stream()
        .<@Nullable Object>map(
            element ->
                switch (element) {
                  case null -> null;
                  case Integer number -> number.longValue();
                  case BigInteger number when number.bitLength() < 64 -> number.longValue();
                  case Tuple nested -> plain(nested.toList());
                  case List<?> nested -> plain(nested);
                  default -> element;
                })
        .toArray();
  }

  private static int compareLists(List<?> left, List<?> right) {
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      int order = compare(left.get(i), right.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static int compare(@Nullable Object left, @Nullable Object right) {
    if (rank(left) != rank(right) || left == null || right == null) {
      return Integer.compare(rank(left), rank(right));
    }
    return switch (left) {
      case byte[] bytes -> Arrays.compareUnsigned(bytes, (byte[]) right);
      case String text ->
          Arrays.compare(text.codePoints().toArray(), ((String) right).codePoints().toArray());
      case List<?> list -> compareLists(list, (List<?>) right);
      case Float number -> compareReals(number, (float) right);
      case Double number -> compareReals(number, (double) right);
      case Boolean flag -> flag.compareTo((Boolean) right);
      case UUID uuid -> new BigInteger(hex(uuid), 16).compareTo(new BigInteger(hex(right), 16));
      case Versionstamp stamp -> compareStamps(stamp, (Versionstamp) right);
      default -> new BigInteger(left.toString()).compareTo(new BigInteger(right.toString()));
    };
  }

  private static String hex(Object uuid) {
    return uuid.toString().replace("-", "");
  }

  private static int compareStamps(Versionstamp left, Versionstamp right) {
    int byVersion = Long.compareUnsigned(left.version(), right.version());
    int byBatch = Integer.compare(left.batch(), right.batch());
    return byVersion != 0
        ? byVersion
        : byBatch != 0 ? byBatch : Integer.compare(left.userVersion(), right.userVersion());
  }

  /** Numbers by value; NaNs with the sign bit before them, other NaNs after them. */
  private static int compareReals(double left, double right) {
    if (!Double.isNaN(left) && !Double.isNaN(right)) {
      return Double.compare(left, right);
    }
    int bySide = Integer.compare(side(left), side(right));
    long order = Double.doubleToRawLongBits(left) - Double.doubleToRawLongBits(right);
    return bySide != 0 ? bySide : side(left) * Long.signum(order);
  }

  private static int side(double number) {
    return Double.isNaN(number) ? (Double.doubleToRawLongBits(number) < 0 ? -1 : 1) : 0;
  }

  private static int rank(@Nullable Object element) {
    return switch (element) {
      case null -> 0;
      case byte[] bytes -> 1;
      case String text -> 2;
      case List<?> list -> 3;
      case Float number -> 5;
      case Double number -> 6;
      case Boolean flag -> 7;
      case UUID uuid -> 8;
      case Versionstamp stamp -> 9;
      default -> 4;
    };
  }
}
