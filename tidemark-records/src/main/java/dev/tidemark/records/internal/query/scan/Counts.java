package dev.tidemark.records.internal.query.scan;

import dev.tidemark.records.query.Explain;
import java.time.Duration;

/** What one node of a plan has done so far. Used by one thread. */
public final class Counts {
  private long rows;
  private long keys;
  private long nanos;

  /** Notes a row that the node gave. */
  public void giveRow() {
    rows++;
  }

  /** Notes rows that the node passed over. */
  public void giveRows(long more) {
    rows += more;
  }

  /** Notes a key that the node read in passing. */
  void readKey() {
    keys++;
  }

  /** Notes records that the node loaded by their keys. */
  public void load(int records) {
    keys += records;
  }

  /** Notes time that the node took, with its sources. */
  public void spend(long more) {
    nanos += more;
  }

  /** All that, for people. */
  public Explain.Actual toActual() {
    return new Explain.Actual(rows, keys, Duration.ofNanos(nanos));
  }
}
