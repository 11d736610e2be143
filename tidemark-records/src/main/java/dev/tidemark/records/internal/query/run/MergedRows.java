package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.query.scan.Counts;
import dev.tidemark.records.internal.query.scan.Meter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The merge of several branches in the same order; ties in the order of the branches. A place
 * consists of one place in each branch.
 */
final class MergedRows implements Rows {
  private final Meter meter;
  private final Counts counts;
  private final List<UnionBranch> branches;
  private final SortKey order;
  private final Rows[] rows;

  /** The start of each branch. */
  private final List<Tuple> starts;

  /** The sort key of the next row of each branch; null if it is not known or there is none. */
  private final List<byte @Nullable []> heads;

  /** The branch whose row comes next; negative if it has to be found. */
  private int next = -1;

  MergedRows(Meter meter, Counts counts, List<UnionBranch> branches, SortKey order, Tuple start) {
    this.meter = meter;
    this.counts = counts;
    this.branches = branches;
    this.order = order;
    this.rows = new Rows[branches.size()];
    this.heads = new ArrayList<>();
    this.starts = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      heads.add(null);
      starts.add(start.isEmpty() ? Tuple.EMPTY : start.getTuple(i));
      rows[i] = branches.get(i).open(starts.get(i));
    }
  }

  @Override
  public @Nullable Hit peek() {
    if (next < 0 && !choose()) {
      return null;
    }
    return branches.get(next).peek(rows[next]);
  }

  /** Finds the branch with the next row, and returns whether there is one. */
  private boolean choose() {
    int least = -1;
    byte[] leastKey = null;
    for (int i = 0; i < rows.length; i++) {
      byte[] head = heads.get(i);
      if (head == null) {
        Hit hit = branches.get(i).peek(rows[i]);
        if (hit == null && isStopped(i)) {
          return false;
        }
        head = hit == null ? null : order.of(hit);
        heads.set(i, head);
      }
      if (head != null && (leastKey == null || Arrays.compareUnsigned(head, leastKey) < 0)) {
        least = i;
        leastKey = head;
      }
    }
    next = least;
    return least >= 0;
  }

  /**
   * Whether a branch without a row stopped at a limit. Another branch may have reached the limit:
   * the first read is always allowed, so a branch that is still at its start has no rows.
   */
  private boolean isStopped(int branch) {
    return meter.stopped() != null && !rows[branch].position().equals(starts.get(branch));
  }

  @Override
  public void take() {
    if (next >= 0) {
      counts.giveRow();
      rows[next].take();
      heads.set(next, null);
      next = -1;
    }
  }

  @Override
  public Tuple position() {
    List<Tuple> places = new ArrayList<>();
    for (Rows branch : rows) {
      places.add(branch.position());
    }
    return Tuple.copyOf(places);
  }
}
