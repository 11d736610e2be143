package dev.tidemark.records.internal.query.run;

import dev.tidemark.records.TooManyRecordsException;
import dev.tidemark.records.query.QueryLimits;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Sorts rows in memory and keeps only as many as are wanted. Used by one thread. */
public final class Sorter {
  private final SortKey order;
  private final QueryLimits limits;
  private final long wanted;
  private final PriorityQueue<Sorted> largestFirst = new PriorityQueue<>((a, b) -> b.compareTo(a));
  private long bytes;

  /**
   * The position of a row in the order.
   *
   * @param sortKey the encoded sort columns
   * @param primaryKey the primary key, which breaks ties
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by order alone
  record CursorPlace(byte[] sortKey, byte[] primaryKey) implements Comparable<CursorPlace> {
    @Override
    public int compareTo(CursorPlace other) {
      int byKey = Arrays.compareUnsigned(sortKey, other.sortKey);
      return byKey != 0 ? byKey : Arrays.compareUnsigned(primaryKey, other.primaryKey);
    }
  }

  /**
   * A row.
   *
   * @param place its position
   * @param hit the row
   */
  public record Sorted(CursorPlace place, Hit hit) implements Comparable<Sorted> {
    @Override
    public int compareTo(Sorted other) {
      return place.compareTo(other.place);
    }

    int bytes() {
      return place.sortKey.length + place.primaryKey.length + hit.bytes();
    }
  }

  /** Sorts by {@code order} and keeps the first {@code wanted} rows. */
  public Sorter(SortKey order, QueryLimits limits, long wanted) {
    this.order = order;
    this.limits = limits;
    this.wanted = wanted;
  }

  /** Adds {@code hit} if it comes behind {@code after}; null for the beginning. */
  public void add(Hit hit, byte[] primaryKey, @Nullable CursorPlace after) {
    Sorted row = new Sorted(new CursorPlace(order.of(hit), primaryKey), hit);
    if (after != null && row.place().compareTo(after) <= 0) {
      return;
    }
    if (largestFirst.size() == wanted) {
      Sorted largest = largestFirst.peek();
      if (largest == null || row.compareTo(largest) >= 0) {
        return;
      }
      largestFirst.remove();
      bytes -= largest.bytes();
    }
    largestFirst.add(row);
    bytes += row.bytes();
    check();
  }

  private void check() {
    if (largestFirst.size() > limits.sortedRows() || bytes > limits.sortedBytes()) {
      throw new TooManyRecordsException(
          ("A query sorts more than %,d rows or %,d bytes in memory (QueryLimits.sortedRows, "
                  + "sortedBytes). Ask for fewer with limit, raise the limits, or make an index %s")
              .formatted(limits.sortedRows(), limits.sortedBytes(), advice()),
          limits.sortedRows());
    }
  }

  /** Describes an index that would make the sort unnecessary. */
  String advice() {
    return order.advice();
  }

  int size() {
    return largestFirst.size();
  }

  /** The rows in order. */
  public List<Sorted> rows() {
    return largestFirst.stream().sorted().toList();
  }
}
