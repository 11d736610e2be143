package dev.tidemark.records.internal.changes;

import dev.tidemark.records.codec.RecordReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A record in wire format, cut into its fields in the order of their numbers. What repeats stays
 * together, so that a field is one piece of bytes.
 */
final class WireFields {
  private static final int FIELDS_AT_FIRST = 16;

  private byte[] bytes;
  private int[] numbers = new int[FIELDS_AT_FIRST];
  private int[] starts = new int[FIELDS_AT_FIRST];
  private int[] ends = new int[FIELDS_AT_FIRST];
  private int size;

  private WireFields(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The fields of {@code wire}. */
  static WireFields of(Wire wire) {
    WireFields fields = new WireFields(wire.bytes());
    RecordReader in = wire.reader();
    boolean sorted = true;
    for (int from = in.position(), number = in.next(); number != 0; number = in.next()) {
      in.skip();
      sorted &= fields.size == 0 || fields.numbers[fields.size - 1] <= number;
      fields.add(number, from, in.position());
      from = in.position();
    }
    return sorted ? fields : fields.sorted();
  }

  private void add(int number, int from, int to) {
    if (size > 0 && numbers[size - 1] == number && ends[size - 1] == from) {
      ends[size - 1] = to;
      return;
    }
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * size);
      starts = Arrays.copyOf(starts, 2 * size);
      ends = Arrays.copyOf(ends, 2 * size);
    }
    numbers[size] = number;
    starts[size] = from;
    ends[size++] = to;
  }

  /** The same in the order of the numbers; what has the same number keeps its order. */
  private WireFields sorted() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      order.add(i);
    }
    order.sort((one, other) -> Integer.compare(numbers[one], numbers[other]));
    ByteWriter out = new ByteWriter(bytes.length);
    WireFields result = new WireFields(bytes);
    int at = 0;
    for (int i : order) {
      out.put(bytes, starts[i], ends[i]);
      result.add(numbers[i], at, at + ends[i] - starts[i]);
      at += ends[i] - starts[i];
    }
    result.bytes = out.toByteArray();
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
                  bytes, starts[mine], ends[mine], other.bytes, other.starts[its], other.ends[its]);
      if (!same && (watched == null || watched.contains(number))) {
        changed[count++] = number;
      }
      mine += here ? 1 : 0;
      its += there ? 1 : 0;
    }
    return Arrays.copyOf(changed, count);
  }

  /** The bytes of the fields that are among {@code wanted}, which is in order. */
  byte[] only(int[] wanted) {
    ByteWriter out = new ByteWriter(bytes.length);
    for (int i = 0; i < size; i++) {
      if (Arrays.binarySearch(wanted, numbers[i]) >= 0) {
        out.put(bytes, starts[i], ends[i]);
      }
    }
    return out.toByteArray();
  }

  /** The bytes of the fields that are not among {@code unwanted}, which is in order. */
  byte[] without(int[] unwanted) {
    ByteWriter out = new ByteWriter(bytes.length);
    for (int i = 0; i < size; i++) {
      if (Arrays.binarySearch(unwanted, numbers[i]) < 0) {
        out.put(bytes, starts[i], ends[i]);
      }
    }
    return out.toByteArray();
  }
}
