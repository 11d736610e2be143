package dev.tidemark.changes;

import dev.tidemark.changes.DataChange.ColumnType;
import java.util.AbstractList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Columns of a change that are worked out when they are first asked for. */
final class DecodedLater extends AbstractList<ColumnType> {
  private static final int UNKNOWN = -1;

  private final int size;
  private @Nullable Supplier<List<ColumnType>> undecoded;
  private volatile @Nullable List<ColumnType> columns;

  /** Columns whose number is not known before. */
  DecodedLater(Supplier<List<ColumnType>> decoder) {
    this(UNKNOWN, decoder);
  }

  /** {@code size} columns. */
  DecodedLater(int size, Supplier<List<ColumnType>> decoder) {
    this.size = size;
    this.undecoded = decoder;
  }

  private List<ColumnType> columns() {
    List<ColumnType> known = columns;
    if (known == null) {
      Supplier<List<ColumnType>> decoder = undecoded;
      known = decoder == null ? decodedByAnother() : List.copyOf(decoder.get());
      columns = known;
      undecoded = null;
    }
    return known;
  }

  private List<ColumnType> decodedByAnother() {
    List<ColumnType> known = columns;
    if (known == null) {
      throw new IllegalStateException("Columns have neither a decoder nor a result");
    }
    return known;
  }

  @Override
  public ColumnType get(int index) {
    return columns().get(index);
  }

  @Override
  public int size() {
    return size == UNKNOWN ? columns().size() : size;
  }
}
