package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.query.scan.Counts;
import dev.tidemark.records.internal.query.scan.Meter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of several branches, one branch after the other. A place is a branch and a place in it.
 */
final class UnionRows implements Rows {
  private final Meter meter;
  private final Counts counts;
  private final List<UnionBranch> branches;
  private int number;
  private Rows rows;

  UnionRows(Meter meter, Counts counts, List<UnionBranch> branches, Tuple start) {
    this.meter = meter;
    this.counts = counts;
    this.branches = branches;
    this.number = start.isEmpty() ? 0 : start.getInt(0);
    this.rows = branches.get(number).open(start.isEmpty() ? Tuple.EMPTY : start.getTuple(1));
  }

  @Override
  public @Nullable Hit peek() {
    while (true) {
      Hit hit = branches.get(number).peek(rows);
      if (hit != null || meter.stopped() != null || number == branches.size() - 1) {
        return hit;
      }
      number++;
      rows = branches.get(number).open(Tuple.EMPTY);
    }
  }

  @Override
  public void take() {
    counts.giveRow();
    rows.take();
  }

  @Override
  public Tuple position() {
    return Tuple.of(number, rows.position());
  }
}
