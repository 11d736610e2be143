package dev.tidemark.changes;

import dev.tidemark.changes.DataChange.ColumnType;
import java.util.AbstractList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Columns of a change that are worked out when they are first asked for. */
final class DecodedLater extends AbstractList<ColumnType> {
  private final Supplier<List<ColumnType>> decoder;
  private volatile @Nullable List<ColumnType> columns;

  DecodedLater(Supplier<List<ColumnType>> decoder) {
    this.decoder = decoder;
  }

  private List<ColumnType> columns() {
    List<ColumnType> known = columns;
    if (known == null) {
      known = List.copyOf(decoder.get());
      columns = known;
    }
    return known;
  }

  @Override
  public ColumnType get(int index) {
    return columns().get(index);
  }

  @Override
  public int size() {
    return columns().size();
  }
}
