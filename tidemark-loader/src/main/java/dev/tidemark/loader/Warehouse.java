package dev.tidemark.loader;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Where rows go. A warehouse merges a batch in one transaction together with the id of the job and,
 * for a source in order, the position behind the batch.
 *
 * <p>A row replaces the one with the same key only if it was published later; {@link Row#message}
 * breaks ties. So batches may be merged in any order, and any number of times.
 *
 * <p>The loader calls {@link #merge} from one thread at a time; {@link #expect} and {@link #settle}
 * may be called at the same time.
 */
public interface Warehouse extends AutoCloseable {
  /**
   * Checks that the table exists and fits, and creates or extends it where {@code policy} says so.
   *
   * @throws TableMismatchException if it does not fit, with every difference
   */
  void prepare(Table table, Table.Policy policy);

  /**
   * Merges a batch. The outcome says what the loader has to do; an exception is an unknown outcome.
   * A batch whose job was merged before changes nothing.
   */
  MergeOutcome merge(Batch batch);

  /**
   * Tells that a batch with this very list of rows will probably be the next one, so that they can
   * be brought near the table while another batch is merged. Called by another thread than {@link
   * #merge}, also while it runs. Nothing of it may be seen before the merge, nor if none follows,
   * and the merge must not need it. By default nothing happens.
   */
  default void expect(Table table, List<Row> rows) {}

  /**
   * The outcome of a job for which it was unknown: {@link MergeOutcome.Merged}, {@link
   * MergeOutcome.Absent}, or {@link MergeOutcome.Unknown} if that cannot be told now. Jobs are
   * remembered for a day.
   */
  MergeOutcome settle(UUID job);

  /** The position behind the last batch of {@code source} in order; empty if there was none. */
  Optional<String> position(String source);

  /** Releases what the warehouse holds. Can be called again. */
  @Override
  void close();
}
