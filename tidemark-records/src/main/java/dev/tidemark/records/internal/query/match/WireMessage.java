package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.internal.format.DynamicCodec;
import dev.tidemark.records.internal.format.DynamicValues;
import dev.tidemark.records.internal.keys.ColumnReader;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Reads selected columns from the bytes of a record, or of a nested one, and skips the rest. */
final class WireMessage {
  private static final int UNWANTED = -1;

  private final RecordType<?> type;
  private final Part[] parts;
  private final int[] slots;

  /** The slots that each part fills. */
  private final int[][] slotsOf;

  private final WireRow absent;

  /** The bits of the fields of {@link #parts}, for {@link RecordReader#next(long)}. */
  private final long fields;

  /** Whether each field occurs once, so that reading stops when all were found. */
  private final boolean once;

  /**
   * A column to read.
   *
   * @param path the rest of its path in this message
   * @param slot the slot of its value
   */
  record Wanted(List<ColumnSpec.Step> path, int slot) {
    ColumnSpec column() {
      return new ColumnSpec(path, false);
    }

    private Wanted inner() {
      return new Wanted(path.subList(1, path.size()), slot);
    }
  }

  /** Reads one field. */
  private abstract static class Part {
    final int field;

    Part(int field) {
      this.field = field;
    }

    abstract void read(RecordReader in, byte[] bytes, WireRow row);
  }

  /**
   * Reads {@code wanted} out of records of {@code type}.
   *
   * @param slots the number of slots of a row
   */
  WireMessage(RecordType<?> type, List<Wanted> wanted, int slots) {
    this.type = type;
    this.slots = wanted.stream().mapToInt(Wanted::slot).toArray();
    this.absent = new WireRow(slots);
    Map<Integer, List<Wanted>> byField = new TreeMap<>();
    for (Wanted one : wanted) {
      byField.computeIfAbsent(one.path().getFirst().field(), field -> new ArrayList<>()).add(one);
    }
    this.parts =
        byField.entrySet().stream()
            .map(entry -> part(entry.getKey(), entry.getValue(), slots))
            .toArray(Part[]::new);
    this.slotsOf =
        byField.values().stream()
            .map(all -> all.stream().mapToInt(Wanted::slot).toArray())
            .toArray(int[][]::new);
    this.fields =
        byField.keySet().stream()
            .filter(field -> field < Long.SIZE)
            .mapToLong(field -> 1L << field)
            .sum();
    this.once =
        parts.length < Long.SIZE
            && wanted.stream().noneMatch(one -> one.path().size() == 1 && one.column().fansOut());
    fillAbsent(wanted);
  }

  /** Fills in the values of a record without fields, including the defaults of its type. */
  private void fillAbsent(List<Wanted> wanted) {
    Object empty = type.codec().read(new RecordReader(new byte[0]));
    for (Wanted one : wanted) {
      ColumnReader reader = ColumnReader.of(type, one.column());
      if (one.column().fansOut()) {
        if (reader.collection(empty) != null) {
          absent.object(one.slot(), List.of());
        }
      } else {
        Object element = reader.single(empty);
        if (element != null) {
          WireForm.of(reader.type()).put(element, absent, one.slot());
        }
      }
    }
  }

  void read(RecordReader in, byte[] bytes, WireRow row) {
    if (once) {
      readOnce(in, bytes, row);
      return;
    }
    for (int slot : slots) {
      row.copy(absent, slot);
    }
    for (int number = in.next(fields); number != 0; number = in.next(fields)) {
      int place = find(number);
      if (place < 0) {
        in.skip();
      } else {
        parts[place].read(in, bytes, row);
      }
    }
  }

  /** Reads until each part was found, and fills in the absent ones. */
  private void readOnce(RecordReader in, byte[] bytes, WireRow row) {
    long left = (1L << parts.length) - 1;
    while (left != 0) {
      int number = in.next(fields);
      if (number == 0) {
        break;
      }
      int place = find(number);
      if (place < 0) {
        in.skip();
      } else {
        parts[place].read(in, bytes, row);
        left &= ~(1L << place);
      }
    }
    for (int place = 0; left != 0; place++, left >>>= 1) {
      if ((left & 1) != 0) {
        for (int slot : slotsOf[place]) {
          row.copy(absent, slot);
        }
      }
    }
  }

  /** The place of the part that reads the field {@code number}; negative if there is none. */
  private int find(int number) {
    for (int place = 0; place < parts.length; place++) {
      if (parts[place].field == number) {
        return place;
      }
    }
    return -1;
  }

  // ---- parts

  private Part part(int field, List<Wanted> wanted, int slotCount) {
    FieldType fieldType = type.spec().field(field).orElseThrow().type();
    return switch (fieldType) {
      case FieldType.Scalar scalar -> value(field, scalar, wanted.getFirst().slot());
      case FieldType.Constants constants -> value(field, constants, wanted.getFirst().slot());
      case FieldType.Nested nested -> nested(field, nested, wanted, slotCount);
      case FieldType.ListOf list -> elements(field, list.element(), wanted.getFirst().slot());
      case FieldType.SetOf set -> elements(field, set.element(), wanted.getFirst().slot());
      case FieldType.MapOf map -> entries(field, map, wanted);
    };
  }

  private static Part value(int field, FieldType type, int slot) {
    WireForm form = WireForm.of(type);
    return new Part(field) {
      @Override
      void read(RecordReader in, byte[] bytes, WireRow row) {
        form.read(type, in, bytes, row, slot);
      }
    };
  }

  private Part nested(int field, FieldType.Nested nested, List<Wanted> wanted, int slotCount) {
    WireMessage inner =
        new WireMessage(
            RecordTests.nested(nested, type.codec().nested(field)),
            wanted.stream().map(Wanted::inner).toList(),
            slotCount);
    return new Part(field) {
      @Override
      void read(RecordReader in, byte[] bytes, WireRow row) {
        int outer = in.enter();
        inner.read(in, bytes, row);
        in.leave(outer);
      }
    };
  }

  private Part elements(int field, FieldType element, int slot) {
    boolean packed = DynamicCodec.isPacked(element);
    return new Part(field) {
      @Override
      void read(RecordReader in, byte[] bytes, WireRow row) {
        if (!packed) {
          add(row, slot, element(field, element, in));
          return;
        }
        int end = in.packed();
        while (in.hasMore(end)) {
          add(row, slot, element(field, element, in));
        }
      }
    };
  }

  private Part entries(int field, FieldType.MapOf map, List<Wanted> wanted) {
    int keys = slotOf(wanted, ColumnSpec.Part.KEYS);
    int values = slotOf(wanted, ColumnSpec.Part.VALUES);
    return new Part(field) {
      @Override
      void read(RecordReader in, byte[] bytes, WireRow row) {
        int outer = in.enter();
        Object key = null;
        Object value = null;
        for (int number = in.next(); number != 0; number = in.next()) {
          if (number == 1 && keys != UNWANTED) {
            key = element(field, map.key(), in);
          } else if (number == 2 && values != UNWANTED) {
            value = element(field, map.value(), in);
          } else {
            in.skip();
          }
        }
        in.leave(outer);
        if (keys != UNWANTED) {
          add(row, keys, key == null ? absent(field, map.key()) : key);
        }
        if (values != UNWANTED) {
          add(row, values, value == null ? absent(field, map.value()) : value);
        }
      }
    };
  }

  private static int slotOf(List<Wanted> wanted, ColumnSpec.Part part) {
    return wanted.stream()
        .filter(one -> one.path().getFirst().part() == part)
        .mapToInt(Wanted::slot)
        .findFirst()
        .orElse(UNWANTED);
  }

  /** What a map entry has that lacks its key or value: the default of protobuf. */
  private Object absent(int field, FieldType type) {
    return switch (type) {
      case FieldType.Nested nested ->
          Objects.requireNonNull(
              this.type.codec().nested(field).read(new RecordReader(new byte[0])));
      case FieldType.Constants constants -> 0L;
      case FieldType.Scalar scalar ->
          Objects.requireNonNull(KeyElements.element(scalar, DynamicValues.zero(scalar)));
      case FieldType.ListOf other -> throw nestedCollection(other);
      case FieldType.SetOf other -> throw nestedCollection(other);
      case FieldType.MapOf other -> throw nestedCollection(other);
    };
  }

  /** A nested record as its codec makes it; anything else as an element of a key. */
  private Object element(int field, FieldType element, RecordReader in) {
    return switch (element) {
      case FieldType.Nested nested -> in.message(type.codec().nested(field));
      case FieldType.Constants constants -> in.varint();
      case FieldType.Scalar scalar ->
          Objects.requireNonNull(KeyElements.element(scalar, DynamicCodec.read(in, scalar)));
      case FieldType.ListOf other -> throw nestedCollection(other);
      case FieldType.SetOf other -> throw nestedCollection(other);
      case FieldType.MapOf other -> throw nestedCollection(other);
    };
  }

  private static DamagedRecordException nestedCollection(FieldType type) {
    return new DamagedRecordException(type + " is an element of a collection");
  }

  /** The list of a slot is a new one for each record, but for the empty one of absent fields. */
  @SuppressWarnings("unchecked") // lists are put into slots here and nowhere else
  private static void add(WireRow row, int slot, Object element) {
    if (row.object(slot) instanceof ArrayList<?> begun) {
      ((List<Object>) begun).add(element);
      return;
    }
    List<Object> all = new ArrayList<>();
    all.add(element);
    row.object(slot, all);
  }
}
