package dev.tidemark.coordination;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.tuple.Subspace;

/**
 * A place where processes coordinate: its rows and its two clocks.
 *
 * @param rows the rows that the processes share
 * @param storeTime the store's time, which leases in rows are written by
 * @param time the process's own clock, which waits and held leases are measured with
 */
public record Coordination(RowStore rows, StoreTime storeTime, TimeSource time)
    implements AutoCloseable {
  /** Coordination below {@code home} of {@code database}, which its owner closes. */
  public static Coordination in(Database database, Subspace home) {
    return new Coordination(
        RowStore.in(database, home), new StoreClock(database, home.pack("clock")), database.time());
  }

  /** Ends the listeners of the rows. */
  @Override
  public void close() {
    rows.close();
  }
}
