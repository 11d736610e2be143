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
 * <p>Every call runs in a transaction of the caller. A change of a state conflicts with all running
 * writers, so each writer acts on the state that it commits against. Only indexes whose state
 * {@link IndexState#isReadable} are read; an {@link OnlineIndexer} makes an index readable.
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
   * Disables {@code index}: this transaction erases its entries, and writers no longer maintain it.
   */
  public void disable(Transaction tx, String index) {
    states.disable(tx, index);
  }

  /**
   * Makes {@code index} write-only. A disabled index starts empty and has to be built; a readable
   * one stays complete and can be made readable again at any time.
   */
  public void makeWriteOnly(Transaction tx, String index) {
    states.makeWriteOnly(tx, index);
  }

  /**
   * Makes {@code index} readable. Returns {@link IndexState#READABLE}, or {@link
   * IndexState#READABLE_UNIQUE_PENDING} while there are {@link #violations}. Once the last of them
   * is resolved, another call makes the index readable without reading records.
   *
   * @throws IndexStateException if the index is disabled or incomplete, with the first missing
   *     range of primary keys
   */
  public IndexState makeReadable(Transaction tx, String index) {
    return states.makeReadable(tx, index);
  }

  /**
   * The first range of packed primary keys that is missing in {@code index}; empty if it is
   * complete.
   */
  public Optional<KeyRange> firstMissing(ReadTransaction tx, String index) {
    return states.firstMissing(tx, index);
  }

  /**
   * Values that several records share although {@code index} is unique, at most {@code limit}. A
   * program resolves a violation by deleting or changing records.
   */
  public List<Violation> violations(ReadTransaction tx, String index, int limit) {
    return states.violations(tx, index, limit);
  }
}
