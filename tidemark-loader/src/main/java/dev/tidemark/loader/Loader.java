package dev.tidemark.loader;

import dev.tidemark.loader.internal.engine.LoadEngine;
import dev.tidemark.loader.internal.engine.RunMode;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Loads messages of one source into one table, in idempotent batches.
 *
 * <p>A run pulls messages, gathers them in memory until a batch is full or old enough, merges it,
 * and acknowledges each message when its row is stored. Pulling goes on meanwhile, one batch ahead,
 * and leases are renewed. A message that cannot become a row is a dead letter and never holds up
 * the others. A crash at any moment loses nothing: messages come again, and a row that is stored
 * already does not change.
 *
 * <p>The caller still owns the source and the warehouse: closing a loader ends its run and closes
 * neither. All methods can be called from any thread; only one run at a time is possible.
 */
public final class Loader implements AutoCloseable {
  private final LoadEngine engine;

  private Loader(LoadEngine engine) {
    this.engine = engine;
  }

  /**
   * A loader with default options.
   *
   * @throws TableMismatchException if the table in the warehouse does not fit the mapping
   */
  public static Loader open(
      MessageSource source, Warehouse warehouse, Mapping mapping, DeadLetters letters) {
    return open(source, warehouse, mapping, letters, UnaryOperator.identity());
  }

  /**
   * A loader.
   *
   * @param letters receives the messages that cannot become rows
   * @throws TableMismatchException if the table in the warehouse does not fit the mapping, and
   *     {@link LoaderOptions#tablePolicy} does not allow to change it
   */
  public static Loader open(
      MessageSource source,
      Warehouse warehouse,
      Mapping mapping,
      DeadLetters letters,
      UnaryOperator<LoaderOptions> options) {
    LoaderOptions chosen = options.apply(LoaderOptions.defaults());
    warehouse.prepare(mapping.table(), chosen.tablePolicy());
    return new Loader(new LoadEngine(source, warehouse, mapping, letters, chosen));
  }

  /**
   * Runs until the source is empty.
   *
   * @throws IllegalStateException if a run is under way
   */
  public LoadResult drain() {
    return engine.run(RunMode.UNTIL_EMPTY, null);
  }

  /** Runs until the source is empty or the budget is nearly used. */
  public LoadResult drain(TimeBudget budget) {
    return engine.run(RunMode.UNTIL_EMPTY, budget);
  }

  /** Runs until the budget is nearly used, waiting for messages if there are none. */
  public LoadResult runFor(TimeBudget budget) {
    return engine.run(RunMode.UNTIL_BUDGET, budget);
  }

  /**
   * Runs until the loader is closed or this thread is interrupted. A warehouse that is down is
   * retried after a pause; failures that need an operator end the run.
   */
  public LoadResult runForEver() {
    return engine.run(RunMode.FOR_EVER, null);
  }

  /** Whether a run is under way. */
  public boolean isRunning() {
    return engine.isRunning();
  }

  /** The deliveries that the run under way is responsible for now, oldest first. */
  public List<MessageInfo> messages() {
    return engine.messages();
  }

  /** What this loader has done since it was opened. */
  public LoaderStatistics statistics() {
    return engine.statistics();
  }

  /**
   * Ends the run under way: what is being merged is finished or given back, the rest is given back.
   * Returns when it has ended. Can be called again.
   */
  @Override
  public void close() {
    engine.close();
  }
}
