package dev.tidemark.records.internal.changes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireFieldsTest {
  private static final int NUMBERS = 20;

  /** Fields by number, what repeats one behind the other. */
  private record Fields(Wire wire, Map<Integer, byte[]> byNumber) {
    byte[] those(IntPredicate wanted) {
      ByteArrayOutputStream joined = new ByteArrayOutputStream();
      byNumber.forEach(
          (number, bytes) -> {
            if (wanted.test(number)) {
              joined.writeBytes(bytes);
            }
          });
      return joined.toByteArray();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void fieldsAreThoseOfTheRecordInWhateverOrderTheyCome(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 2_000; round++) {
      boolean inOrder = random.nextBoolean();
      Fields one = fields(random, inOrder);
      Fields other = random.nextInt(8) == 0 ? one : fields(random, random.nextBoolean());
      WireFields fields = one.wire().fields();
      int[] some = numbers(random);
      IntPredicate wanted = number -> Arrays.binarySearch(some, number) >= 0;

      assertThat(fields.only(some).copy()).isEqualTo(one.those(wanted));
      assertThat(fields.without(some).copy()).isEqualTo(one.those(wanted.negate()));
      assertThat(fields.changed(other.wire().fields(), null))
          .containsExactly(changed(one, other, any -> true));
      TreeSet<Integer> watched = new TreeSet<>(Arrays.stream(some).boxed().toList());
      assertThat(fields.changed(other.wire().fields(), watched))
          .containsExactly(changed(one, other, wanted));
    }
  }

  private static int[] changed(Fields one, Fields other, IntPredicate watched) {
    TreeSet<Integer> all = new TreeSet<>(one.byNumber().keySet());
    all.addAll(other.byNumber().keySet());
    return all.stream()
        .mapToInt(Integer::intValue)
        .filter(watched)
        .filter(number -> !Arrays.equals(one.byNumber().get(number), other.byNumber().get(number)))
        .toArray();
  }

  private static int[] numbers(SplittableRandom random) {
    return random.ints(random.nextInt(NUMBERS), 1, NUMBERS).distinct().sorted().toArray();
  }

  /** A record of numbers, behind bytes of something else, some of them several times. */
  private static Fields fields(SplittableRandom random, boolean inOrder) {
    int[] numbers = random.ints(random.nextInt(NUMBERS), 1, NUMBERS).toArray();
    if (inOrder) {
      Arrays.sort(numbers);
    }
    ByteWriter all = new ByteWriter(4).put(0xff);
    Map<Integer, byte[]> byNumber = new TreeMap<>();
    for (int number : numbers) {
      byte[] field =
          new ByteWriter(4).number(number << 3).number(random.nextInt(300)).toByteArray();
      all.put(field);
      byNumber.merge(number, field, WireFieldsTest::joined);
    }
    return new Fields(new Wire(all.toByteArray(), 1), byNumber);
  }

  private static byte[] joined(byte[] one, byte[] other) {
    return new ByteWriter(one.length + other.length).put(one).put(other).toByteArray();
  }
}
