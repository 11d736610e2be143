package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.query.scan.Counts;
import org.jspecify.annotations.Nullable;

/** Measures the time that another node takes. */
final class TimedRows implements Rows {
  private final Rows rows;
  private final Counts counts;
  private final TimeSource time;

  TimedRows(Rows rows, Counts counts, TimeSource time) {
    this.rows = rows;
    this.counts = counts;
    this.time = time;
  }

  @Override
  public @Nullable Hit peek() {
    long begin = time.nanos();
    try {
      return rows.peek();
    } finally {
      counts.spend(time.nanos() - begin);
    }
  }

  @Override
  public void take() {
    rows.take();
  }

  @Override
  public long pass(long most) {
    long begin = time.nanos();
    try {
      return rows.pass(most);
    } finally {
      counts.spend(time.nanos() - begin);
    }
  }

  @Override
  public Tuple position() {
    return rows.position();
  }
}
