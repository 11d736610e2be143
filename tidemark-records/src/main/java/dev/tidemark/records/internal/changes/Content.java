package dev.tidemark.records.internal.changes;

import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.changes.ModType;
import dev.tidemark.records.internal.format.Codes;
import dev.tidemark.records.schema.CaptureType;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * A byte with the kind of the change, and bit 2 if the stream does not watch all fields; then how many fields it watches,
 * and their numbers in order. Of an update, how many fields changed, and their numbers in order. The new fields with
 * their length; the old fields. Fields are in wire format.
 */

/**
 * What a row of the log says of a record: the part that is compressed and encrypted as records are.
 *
 * @param modType what happened
 * @param watched the numbers of the watched fields, in order; null for all
 * @param changed the numbers of the fields that changed, in order; of updates only
 * @param newFields the new fields that are kept
 * @param oldFields the old fields that are kept
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Content(
    ModType modType, int @Nullable [] watched, int[] changed, Wire newFields, Wire oldFields) {
  private static final int SOME_FIELDS = 4;
  private static final int[] NONE = {};

  static Content insert(Wire now, @Nullable Set<Integer> watched) {
    return new Content(
        ModType.INSERT, numbers(watched), NONE, watchedFields(now, watched), Wire.NOTHING);
  }

  static Content delete(Wire old, CaptureType capture, @Nullable Set<Integer> watched) {
    Wire kept = capture.keepsOld() ? watchedFields(old, watched) : Wire.NOTHING;
    return new Content(ModType.DELETE, numbers(watched), NONE, Wire.NOTHING, kept);
  }

  /** Null if no watched field changed. */
  static @Nullable Content update(
      Wire old, Wire now, CaptureType capture, @Nullable Set<Integer> watched) {
    if (old.isSame(now)) {
      return null;
    }
    WireFields before = old.fields();
    WireFields after = now.fields();
    int[] changed = before.changed(after, watched);
    if (changed.length == 0) {
      return null;
    }
    return new Content(
        ModType.UPDATE,
        numbers(watched),
        changed,
        capture.keepsNewRow() ? watchedFields(now, watched) : after.only(changed),
        capture.keepsOld() ? before.only(changed) : Wire.NOTHING);
  }

  private static Wire watchedFields(Wire row, @Nullable Set<Integer> watched) {
    return watched == null ? row : row.fields().only(sorted(watched));
  }

  private static int @Nullable [] numbers(@Nullable Set<Integer> watched) {
    return watched == null ? null : sorted(watched);
  }

  private static int[] sorted(Set<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  byte[] toBytes() {
    ByteWriter out =
        new ByteWriter(8 + 2 * changed.length + newFields.length() + oldFields.length())
            .put(Codes.MOD_TYPES.of(modType) | (watched == null ? 0 : SOME_FIELDS));
    if (watched != null) {
      put(out, watched);
    }
    if (modType == ModType.UPDATE) {
      put(out, changed);
    }
    return out.sized(newFields).put(oldFields).toByteArray();
  }

  private static void put(ByteWriter out, int[] numbers) {
    out.number(numbers.length);
    for (int number : numbers) {
      out.number(number);
    }
  }

  private static int[] take(ByteReader in, int most) {
    int[] numbers = new int[Math.min(in.number(), most)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = in.number();
    }
    return numbers;
  }

  static Content parse(Wire content) {
    ByteReader in = new ByteReader(content);
    int first = in.next();
    int code = first & ~SOME_FIELDS;
    if (!Codes.MOD_TYPES.has(code)) {
      throw new DamagedRecordException(
          "A row of a change log has the kind of change %d; this version of Tidemark does not know it"
              .formatted(code));
    }
    ModType modType = Codes.MOD_TYPES.constant(code);
    int[] watched = (first & SOME_FIELDS) == 0 ? null : take(in, content.length());
    int[] changed = modType == ModType.UPDATE ? take(in, content.length()) : NONE;
    return new Content(modType, watched, changed, in.sized(), in.rest());
  }

  /** The fields before an update of which the whole new row is kept. */
  Wire oldRow() {
    Wire unchanged = newFields.fields().without(changed);
    byte[] joined =
        new ByteWriter(unchanged.length() + oldFields.length())
            .put(unchanged)
            .put(oldFields)
            .toByteArray();
    return new Wire(joined);
  }
}
