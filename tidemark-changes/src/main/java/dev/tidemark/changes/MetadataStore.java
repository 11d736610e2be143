package dev.tidemark.changes;

import dev.tidemark.changes.internal.metadata.KvMetadata;
import dev.tidemark.changes.internal.metadata.MemoryMetadata;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where runs of {@link ChangeReader}s keep their partitions, positions and leases.
 *
 * <p>A store gives rows and atomic changes of them; what a change may do is decided by the reader,
 * in one place for all stores. Runs with different names do not see each other.
 */
public interface MetadataStore {
  /** A store in memory, lost with the process. For tests, and for readers that need no memory. */
  static MetadataStore inMemory(TimeSource time) {
    return new MemoryMetadata(time);
  }

  /**
   * A store in {@code database}, below {@code space}. Batches can be applied in the transaction
   * that stores their position ({@link ChangeReader#startTransactional}).
   */
  static MetadataStore in(Database database, Subspace space) {
    return new KvMetadata(database, space);
  }

  /**
   * Runs {@code body} and makes its writes together, or none. It may run several times, and has no
   * other effect.
   */
  <T> T update(String run, Function<Rows, T> body);

  /** Runs {@code body}, which only reads, on one state of the rows. */
  <T> T read(String run, Function<Rows, T> body);

  /**
   * The rows of {@code run} as a part of {@code tx}.
   *
   * @throws UnsupportedOperationException if this store does not live in a database
   */
  default Rows in(Transaction tx, String run) {
    throw new UnsupportedOperationException(
        "This metadata store has no transactions to join; use MetadataStore.in(database, space)");
  }

  /** The database of this store, if it lives in one. */
  default Optional<Database> database() {
    return Optional.empty();
  }

  /** The store's time, by which leases end. */
  Instant now();

  /** Removes everything of {@code run}. */
  void delete(String run);

  /** The rows of one run within one change. */
  interface Rows {
    /** The run as a whole, if it was started. */
    Optional<RunRow> run();

    /** Sets the run's row. */
    void putRun(RunRow row);

    /** A partition, if it is known. */
    Optional<PartitionRow> partition(long generation, String token);

    /** All known partitions of a generation, by token. */
    List<PartitionRow> partitions(long generation);

    /** Sets a partition's row. */
    void put(PartitionRow row);

    /** Removes a partition's row. */
    void remove(long generation, String token);

    /** The processes that take part, and when their leases end. */
    Map<String, Instant> members();

    /** When the lease of {@code member} ends, if it takes part. */
    Optional<Instant> member(String member);

    /** Gives {@code member} a lease until {@code end}. */
    void putMember(String member, Instant end);

    /** Ends the part of {@code member}. */
    void removeMember(String member);
  }
}
