package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.TooManyRecordsException;
import dev.tidemark.records.internal.query.scan.Counts;
import dev.tidemark.records.internal.query.scan.Meter;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the rows of another node. A place is the sort key and the primary key of the last row that
 * was taken: to resume, all rows are read and sorted again, without those before it.
 */
final class SortedRows implements Rows {
  private final Meter meter;
  private final Counts counts;
  private final Rows source;
  private final HitReader<?> reader;
  private final Sorter sorter;
  private Tuple position;
  private @Nullable Deque<Sorter.Sorted> rows;

  SortedRows(
      Meter meter, Counts counts, Rows source, HitReader<?> reader, Sorter sorter, Tuple start) {
    this.meter = meter;
    this.counts = counts;
    this.source = source;
    this.reader = reader;
    this.sorter = sorter;
    this.position = start;
  }

  @Override
  public @Nullable Hit peek() {
    Sorter.Sorted first = sorted().peekFirst();
    return first == null ? null : first.hit();
  }

  private Deque<Sorter.Sorted> sorted() {
    if (rows == null) {
      Sorter.@Nullable CursorPlace after =
          position.isEmpty()
              ? null
              : new Sorter.CursorPlace(position.getBytes(0), position.getBytes(1));
      for (Hit hit = source.peek(); hit != null; hit = source.peek()) {
        source.take();
        sorter.add(hit, reader.primaryKey(hit), after);
      }
      if (meter.stopped() != null) {
        throw new TooManyRecordsException(
            ("A query has to be sorted, and its cursor met the %s before it had read all rows. "
                    + "Raise that limit, or make an index %s")
                .formatted(meter.stopped(), sorter.advice()),
            sorter.size());
      }
      rows = new ArrayDeque<>(sorter.rows());
    }
    return rows;
  }

  @Override
  public void take() {
    Sorter.Sorted first = sorted().removeFirst();
    counts.giveRow();
    position = Tuple.of(first.place().sortKey(), first.place().primaryKey());
  }

  @Override
  public Tuple position() {
    return position;
  }
}
