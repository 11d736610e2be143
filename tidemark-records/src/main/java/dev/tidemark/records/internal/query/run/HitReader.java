package dev.tidemark.records.internal.query.run;

import dev.tidemark.records.internal.keys.ColumnReader;
import dev.tidemark.records.internal.query.match.EntryColumns;
import dev.tidemark.records.internal.query.match.EntryRow;
import dev.tidemark.records.internal.space.TypeView;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads records and columns from hits. Used by one thread. */
public final class HitReader<R> {
  private final TypeView<R> view;
  private final Map<ColumnSpec, ColumnReader> readers = new HashMap<>();

  private int @Nullable [] places;
  private @Nullable EntryColumns placesIn;
  private @Nullable List<ColumnSpec> placesOf;

  public HitReader(TypeView<R> view) {
    this.view = view;
  }

  /** The record of {@code hit}, which was loaded. */
  public R record(Hit hit) {
    return switch (hit) {
      case Hit.Loaded loaded -> decoded(loaded);
      case Hit.Covering covering ->
          throw new IllegalStateException(
              "The record at %s was not loaded".formatted(covering.recordKey()));
    };
  }

  @SuppressWarnings("unchecked") // only this reader keeps records in hits of this view
  private R decoded(Hit.Loaded hit) {
    Object known = hit.record();
    if (known == null) {
      R decoded = view.decode(hit.recordKey(), hit.wire(), hit.start());
      hit.keep(Objects.requireNonNull(decoded));
      return decoded;
    }
    return (R) known;
  }

  /** The packed primary key of {@code hit}. */
  public byte[] primaryKey(Hit hit) {
    byte[] key = hit.recordKey().unsafeBytes();
    return Arrays.copyOfRange(key, view.records().size(), key.length - 1);
  }

  /** The elements of {@code columns}, which do not fan out. */
  public @Nullable Object[] elements(Hit hit, List<ColumnSpec> columns) {
    @Nullable Object[] elements = new @Nullable Object[columns.size()];
    switch (hit) {
      case Hit.Loaded loaded -> {
        R record = decoded(loaded);
        for (int i = 0; i < elements.length; i++) {
          elements[i] = reader(columns.get(i)).single(Objects.requireNonNull(record));
        }
      }
      case Hit.Covering covering -> {
        EntryRow row = covering.row();
        int[] at = places(covering.columns(), columns);
        for (int i = 0; i < elements.length; i++) {
          elements[i] = row.element(at[i]);
        }
      }
    }
    return elements;
  }

  /** The places of {@code columns}, cached for the layout of the previous entry. */
  private int[] places(EntryColumns entry, List<ColumnSpec> columns) {
    if (places == null || placesIn != entry || !columns.equals(placesOf)) {
      places = columns.stream().mapToInt(entry::place).toArray();
      placesIn = entry;
      placesOf = columns;
    }
    return places;
  }

  /** The name of {@code column} as a program writes it. */
  String name(ColumnSpec column) {
    return reader(column).name();
  }

  private ColumnReader reader(ColumnSpec column) {
    return readers.computeIfAbsent(column, one -> ColumnReader.of(view.type(), one));
  }
}
