package dev.tidemark.records.maintenance;

import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.IndexStateException;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.space.IndexStates;
import dev.tidemark.records.internal.space.Space;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The states of the indexes of a space.
 *
 * <p>Every call takes place in a transaction of the caller. A change of a state makes all writers
 * conflict that are under way, so each of them goes by the state that it meets. What may read an
 * index is decided by {@link IndexState#isReadable}; an {@link OnlineIndexer} takes an index there.
 */
public final class Indexes {
  static {
    Bridge.connect(
        new Bridge.Maintenance() {
          @Override
          public Indexes indexes(IndexStates states) {
            return new Indexes(states);
          }

          @Override
          public Statistics statistics(Space space) {
            return new Statistics(space);
          }
        });
  }

  private final IndexStates states;

  Indexes(IndexStates states) {
    this.states = states;
  }

  /** The states by the names of the indexes, in the order of the schema. */
  public Map<String, IndexState> states(ReadTransaction tx) {
    return states.all(tx);
  }

  /**
   * The state of {@code index}.
   *
   * @throws IllegalArgumentException if the schema has no such index
   */
  public IndexState state(ReadTransaction tx, String index) {
    Map<String, IndexState> all = states.all(tx);
    IndexState state = all.get(index);
    if (state == null) {
      throw new IllegalArgumentException(
          "The schema has no index '%s'; it has %s".formatted(index, all.keySet()));
    }
    return state;
  }

  /**
   * Disables {@code index}: everything that it holds is erased in this transaction, and writers
   * keep it no longer.
   */
  public void disable(Transaction tx, String index) {
    states.disable(tx, index);
  }

  /**
   * Makes {@code index} write-only. A disabled one starts empty and has to be built; one that was
   * readable stays complete and can be made readable again at any time.
   */
  public void makeWriteOnly(Transaction tx, String index) {
    states.makeWriteOnly(tx, index);
  }

  /**
   * Makes {@code index} readable. Answers {@link IndexState#READABLE}, or {@link
   * IndexState#READABLE_UNIQUE_PENDING} while there are {@link #violations}; once the last of them
   * is resolved another call makes it readable, without a look at the records.
   *
   * @throws IndexStateException if the index is disabled, or if it is not complete, with the first
   *     range of primary keys that is missing
   */
  public IndexState makeReadable(Transaction tx, String index) {
    return states.makeReadable(tx, index);
  }

  /**
   * The first range of packed primary keys that {@code index} lacks. Empty for one that is
   * complete.
   */
  public Optional<KeyRange> firstMissing(ReadTransaction tx, String index) {
    return states.firstMissing(tx, index);
  }

  /**
   * Values that several records share though {@code index} is unique, at most {@code limit}. A
   * program resolves one by deleting or changing records.
   */
  public List<Violation> violations(ReadTransaction tx, String index, int limit) {
    return states.violations(tx, index, limit);
  }
}
