package dev.tidemark.records.maintenance;

import dev.tidemark.records.RecordSpace;
import java.util.function.BooleanSupplier;

/**
 * One refresh of the statistics of a space, bounded in time. A turn that ends early is resumed by
 * the next. Every turn reads at least one piece, so some turns complete a collection.
 */
final class RefreshTurn {
  private final RecordSpace space;
  private final StatisticsOptions options;
  private final BooleanSupplier over;
  private int first = -1;

  /** Ends the collection of a turn whose time is over. */
  private static final class TurnIsOver extends RuntimeException {
    private static final long serialVersionUID = 1;

    TurnIsOver() {
      super("The turn is over; the next one goes on from here", null, false, false);
    }
  }

  RefreshTurn(RecordSpace space, StatisticsOptions options, BooleanSupplier over) {
    this.space = space;
    this.options = options;
    this.over = over;
  }

  UpkeepEvent.Refreshed run() {
    StatisticsOptions stoppable = options.withListener(this::show);
    try {
      boolean stale = space.statistics().refreshIfStale(defaults -> stoppable);
      return new UpkeepEvent.Refreshed(stale, true);
    } catch (TurnIsOver end) {
      return new UpkeepEvent.Refreshed(true, false);
    }
  }

  private void show(StatisticsProgress progress) {
    options.listener().accept(progress);
    first = first < 0 ? progress.done() : first;
    boolean worthToKeep = progress.done() == first && progress.fraction() == 1;
    if (!worthToKeep && over.getAsBoolean()) {
      throw new TurnIsOver();
    }
  }
}
