package dev.tidemark.records.internal.query.scan;

import dev.tidemark.records.query.Explain;
import java.time.Duration;

/** The work of one node of a plan so far. Used by one thread. */
public final class Counts {
  private long rows;
  private long keys;
  private long nanos;

  /** Counts a row that the node returned. */
  public void giveRow() {
    rows++;
  }

  /** Counts rows that the node skipped. */
  public void giveRows(long more) {
    rows += more;
  }

  /** Counts a key that the node read. */
  void readKey() {
    keys++;
  }

  /** Counts records that the node loaded by their keys. */
  public void load(int records) {
    keys += records;
  }

  /** Adds time of the node, including its sources. */
  public void spend(long more) {
    nanos += more;
  }

  /** The counts as a part of an explanation. */
  public Explain.Actual toActual() {
    return new Explain.Actual(rows, keys, Duration.ofNanos(nanos));
  }
}
