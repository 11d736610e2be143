package dev.tidemark.records.internal.changes;

import dev.tidemark.records.codec.RecordReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A record in wire format, cut into its fields in the order of their numbers. What repeats stays
 * together, so that a field is one piece of bytes. Each begins where the one before it ends.
 */
final class WireFields {
  private static final int FIELDS_AT_FIRST = 8;

  private final byte[] bytes;
  private int[] numbers = new int[FIELDS_AT_FIRST];

  /** Where each field begins, and behind the last one where that ends. */
  private int[] starts = new int[FIELDS_AT_FIRST + 1];

  private int size;

  private WireFields(byte[] bytes, int start) {
    this.bytes = bytes;
    this.starts[0] = start;
  }

  /** The fields of {@code wire}. */
  static WireFields of(Wire wire) {
    WireFields fields = new WireFields(wire.bytes(), wire.start());
    RecordReader in = wire.reader();
    boolean sorted = true;
    int before = 0;
    for (int number = in.next(); number != 0; number = in.next()) {
      in.skip();
      sorted &= before <= number;
      before = number;
      fields.add(number, in.position());
    }
    return sorted ? fields : fields.sorted();
  }

  /** Adds what follows the fields so far, up to {@code end}. */
  private void add(int number, int end) {
    if (size == 0 || numbers[size - 1] != number) {
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * size);
        starts = Arrays.copyOf(starts, 2 * size + 1);
      }
      numbers[size++] = number;
    }
    starts[size] = end;
  }

  private int length(int field) {
    return starts[field + 1] - starts[field];
  }

  /** The same in the order of the numbers; what has the same number keeps its order. */
  private WireFields sorted() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      order.add(i);
    }
    order.sort((one, other) -> Integer.compare(numbers[one], numbers[other]));
    byte[] joined = new byte[starts[size] - starts[0]];
    WireFields result = new WireFields(joined, 0);
    int at = 0;
    for (int i : order) {
      System.arraycopy(bytes, starts[i], joined, at, length(i));
      at += length(i);
      result.add(numbers[i], at);
    }
    return result;
  }

  /** The numbers of the fields that are different in {@code other}, in order. */
  int[] changed(WireFields other, @Nullable Set<Integer> watched) {
    int[] changed = new int[size + other.size];
    int count = 0;
    int mine = 0;
    int its = 0;
    while (mine < size || its < other.size) {
      int number =
          Math.min(
              mine < size ? numbers[mine] : Integer.MAX_VALUE,
              its < other.size ? other.numbers[its] : Integer.MAX_VALUE);
      boolean here = mine < size && numbers[mine] == number;
      boolean there = its < other.size && other.numbers[its] == number;
      boolean same =
          here
              && there
              && Arrays.equals(
                  bytes,
                  starts[mine],
                  starts[mine + 1],
                  other.bytes,
                  other.starts[its],
                  other.starts[its + 1]);
      if (!same && (watched == null || watched.contains(number))) {
        changed[count++] = number;
      }
      mine += here ? 1 : 0;
      its += there ? 1 : 0;
    }
    return Arrays.copyOf(changed, count);
  }

  /** The fields that are among {@code wanted}, which is in order. */
  Wire only(int[] wanted) {
    return those(number -> Arrays.binarySearch(wanted, number) >= 0);
  }

  /** The fields that are not among {@code unwanted}, which is in order. */
  Wire without(int[] unwanted) {
    return those(number -> Arrays.binarySearch(unwanted, number) < 0);
  }

  /** Some of the fields: where they are, if they are neighbours, and otherwise a copy. */
  private Wire those(IntPredicate wanted) {
    int first = next(0, wanted);
    int behind = first;
    while (behind < size && wanted.test(numbers[behind])) {
      behind++;
    }
    if (next(behind, wanted) == size) {
      return new Wire(bytes, starts[first], starts[behind]);
    }
    ByteWriter out = new ByteWriter(starts[size] - starts[first]);
    for (int i = first; i < size; i = next(i + 1, wanted)) {
      out.put(bytes, starts[i], starts[i + 1]);
    }
    return new Wire(out.toByteArray());
  }

  /** The first field from {@code from} on that is wanted; {@link #size} for none. */
  private int next(int from, IntPredicate wanted) {
    int field = from;
    while (field < size && !wanted.test(numbers[field])) {
      field++;
    }
    return field;
  }
}
