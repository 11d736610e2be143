package dev.tidemark.records.internal.space;

import dev.tidemark.records.SpaceActivity;
import java.util.concurrent.atomic.LongAdder;

/**
 * What was done through one open space, counted by whoever does it. Threads add without waiting for
 * each other; {@link #now} may miss what others are about to add.
 */
public final class ActivityCounts {
  private final LongAdder saved = new LongAdder();
  private final LongAdder deleted = new LongAdder();
  private final LongAdder swept = new LongAdder();
  private final LongAdder loaded = new LongAdder();
  private final LongAdder queries = new LongAdder();
  private final LongAdder plansCached = new LongAdder();
  private final LongAdder plansMade = new LongAdder();
  private final LongAdder changesCaptured = new LongAdder();
  private final LongAdder indexed = new LongAdder();

  /** Counts a record that was saved. */
  public void save() {
    saved.increment();
  }

  /** Counts {@code records} that were deleted one by one. */
  public void delete(int records) {
    deleted.add(records);
  }

  /** Counts an expired record that a sweep deleted; the delete is counted apart. */
  public void sweep() {
    swept.increment();
  }

  /** Counts {@code records} that were found by their primary keys. */
  public void load(int records) {
    loaded.add(records);
  }

  /** Counts a query that begins. */
  public void beginQuery() {
    queries.increment();
  }

  /** Counts a query whose shape was in the cache of plans. */
  public void usePlan() {
    plansCached.increment();
  }

  /** Counts a query for which plans were made. */
  public void makePlan() {
    plansMade.increment();
  }

  /** Counts {@code rows} written to change streams. */
  public void capture(int rows) {
    changesCaptured.add(rows);
  }

  /** Counts {@code records} that a build added to the indexes that lacked them. */
  public void index(long records) {
    indexed.add(records);
  }

  /** The counts so far. */
  public SpaceActivity now() {
    return new SpaceActivity(
        saved.sum(),
        deleted.sum(),
        swept.sum(),
        loaded.sum(),
        queries.sum(),
        plansCached.sum(),
        plansMade.sum(),
        changesCaptured.sum(),
        indexed.sum());
  }
}
