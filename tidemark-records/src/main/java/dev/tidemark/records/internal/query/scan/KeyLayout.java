package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.records.internal.query.plan.Route;
import dev.tidemark.records.internal.space.TypeView;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The layout of the keys of an index, or of the records. */
public final class KeyLayout {
  /** The last element of the key of a record; pieces of large records have others. */
  static final byte MAIN = 0x14;

  private final Key prefix;
  private final Key records;
  private final List<ColumnSpec> columns;

  /** The place of each part of the primary key among the columns. */
  private final int[] primaryKey;

  /** Whether the parts of the primary key are the last columns, in order. */
  private final boolean behind;

  private KeyLayout(Key prefix, Key records, List<ColumnSpec> columns, int[] primaryKey) {
    this.prefix = prefix;
    this.records = records;
    this.columns = columns;
    this.primaryKey = primaryKey;
    this.behind = isBehind(columns.size(), primaryKey);
  }

  private static boolean isBehind(int columns, int[] places) {
    for (int i = 0; i < places.length; i++) {
      if (places[i] != columns - places.length + i) {
        return false;
      }
    }
    return true;
  }

  /** The layout of the keys of {@code route}. */
  public static KeyLayout of(TypeView<?> view, Route route) {
    Key prefix = route.index().map(view::entries).orElseGet(view::records);
    return new KeyLayout(
        prefix, view.records(), route.key(), places(view.type().spec(), route.key()));
  }

  private static int[] places(TypeSpec type, List<ColumnSpec> columns) {
    return type.primaryKey().stream()
        .mapToInt(field -> columns.lastIndexOf(ColumnSpec.of(field)))
        .toArray();
  }

  /** The common prefix of all keys. */
  public Key prefix() {
    return prefix;
  }

  /** How many columns the keys have. */
  public int width() {
    return columns.size();
  }

  public boolean isDescending(int place) {
    return columns.get(place).descending();
  }

  /** The place of {@code column}, which is ascending; negative if the keys do not have it. */
  public int place(ColumnSpec column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).path().equals(column.path())) {
        return i;
      }
    }
    return -1;
  }

  /** {@code element} as the column at {@code place} has it. */
  byte[] pack(int place, @Nullable Object element) {
    return Packed.of(element, isDescending(place));
  }

  /** Whether {@code key}, one of the keys of the records, is the one that holds the record. */
  public boolean isMain(byte[] key) {
    return key[key.length - 1] == MAIN
        && Packed.end(key, prefix.size(), columns.size()) == key.length - 1;
  }

  /** The key of the record that {@code key} leads to. */
  Key recordKey(byte[] key) {
    if (!behind) {
      return recordKey(inOrder(key));
    }
    int prefixSize = records.size();
    int start = Packed.end(key, prefix.size(), columns.size() - primaryKey.length);
    int length = key.length - start;
    byte[] record = Arrays.copyOf(records.unsafeBytes(), prefixSize + length + 1);
    System.arraycopy(key, start, record, prefixSize, length);
    record[record.length - 1] = MAIN;
    return Key.wrap(record);
  }

  private Key recordKey(List<byte[]> parts) {
    byte[] record = records.unsafeBytes();
    for (byte[] part : parts) {
      record = Packed.concat(record, part);
    }
    return Key.wrap(Packed.concat(record, MAIN));
  }

  private List<byte[]> inOrder(byte[] key) {
    int[] starts = starts(key);
    List<byte[]> parts = new ArrayList<>(primaryKey.length);
    for (int place : primaryKey) {
      parts.add(Arrays.copyOfRange(key, starts[place], starts[place + 1]));
    }
    return parts;
  }

  /** The offsets of the columns, and the end of the last one. */
  int[] starts(byte[] key) {
    int[] starts = new int[columns.size() + 1];
    int at = prefix.size();
    for (int i = 0; i < columns.size(); i++) {
      starts[i] = at;
      at = Packed.end(key, at);
    }
    starts[columns.size()] = at;
    return starts;
  }

  /** The packed primary key in the key of a record. */
  byte[] primaryKey(Key record) {
    return Arrays.copyOfRange(record.unsafeBytes(), records.size(), record.size() - 1);
  }

  /** The key of the record with a packed primary key. */
  Key recordOf(byte[] primaryKeyBytes) {
    return recordKey(List.of(primaryKeyBytes));
  }

  /**
   * The lower bound of {@code primaryKeyBytes} among the keys that begin with {@code fixed}. A part
   * of the primary key may be among the {@code given} columns that these keys have in common, with
   * another value: then all keys with equal parts before it are on one side.
   *
   * @param behind whether a key with that very primary key counts as before it
   */
  byte[] bound(byte[] primaryKeyBytes, byte[] fixed, int given, boolean behind) {
    byte[] bound = fixed;
    int at = 0;
    for (int place : primaryKey) {
      int end = Packed.end(primaryKeyBytes, at);
      if (place >= given) {
        bound = Packed.concat(bound, Arrays.copyOfRange(primaryKeyBytes, at, end));
      } else {
        int begin = Packed.end(fixed, prefix.size(), place);
        int order =
            Arrays.compareUnsigned(
                fixed, begin, Packed.end(fixed, begin), primaryKeyBytes, at, end);
        if (order != 0) {
          return order > 0 ? bound : Packed.concat(bound, Packed.END);
        }
      }
      at = end;
    }
    return behind ? Packed.concat(bound, (byte) 0) : bound;
  }
}
