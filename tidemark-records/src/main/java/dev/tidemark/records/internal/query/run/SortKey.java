package dev.tidemark.records.internal.query.run;

import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.scan.Packed;
import dev.tidemark.records.schema.ColumnSpec;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes hits as bytes in the order of a query. */
public final class SortKey {
  private static final byte NULL_FIRST = 0;
  private static final byte VALUE = 1;
  private static final byte NULL_LAST = 2;

  private final List<Ordering> order;
  private final HitReader<?> reader;
  private final List<ColumnSpec> columns;

  public SortKey(List<Ordering> order, HitReader<?> reader) {
    this.order = order;
    this.reader = reader;
    this.columns = order.stream().map(Ordering::column).toList();
  }

  /** The key of {@code hit}. */
  byte[] of(Hit hit) {
    @Nullable Object[] elements = reader.elements(hit, columns);
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    for (int i = 0; i < elements.length; i++) {
      Ordering column = order.get(i);
      Object element = elements[i];
      if (element == null) {
        key.write(column.nullsFirst() ? NULL_FIRST : NULL_LAST);
      } else {
        key.write(VALUE);
        key.writeBytes(
            column.descending() ? KeyElements.descending(element) : Packed.of(element, false));
      }
    }
    return key.toByteArray();
  }

  /** Describes an index that would have the rows in this order. */
  String advice() {
    StringBuilder names = new StringBuilder("on (");
    for (Ordering column : order) {
      names
          .append(names.length() == 4 ? "" : ", ")
          .append(reader.name(column.column()))
          .append(column.descending() ? " desc" : "");
    }
    return names.append(')').toString();
  }
}
