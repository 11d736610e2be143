package dev.tidemark.partitions.internal.control;

import dev.tidemark.coordination.FencedException;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.internal.store.CounterRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import java.util.Optional;

/**
 * The guards in our store for operations whose rows are elsewhere: which term may write, and the
 * outcome of each operation.
 *
 * <p>Such an operation takes effect in two steps, ownership first and then the route. The first
 * step writes the outcome with the ownership rows. A manager that abandons an operation first
 * writes the opposite outcome. So exactly one of the two outcomes holds, whenever a manager dies or
 * is replaced, and any manager can do the second step, any number of times.
 */
public final class Outcomes {
  private static final long FLIPPED = 1;
  private static final long GIVEN_UP = 2;

  private final PartitionKeys keys;

  /** The guards of the cluster with these keys. */
  public Outcomes(PartitionKeys keys) {
    this.keys = keys;
  }

  /** Begins a term: from now on earlier terms can commit nothing in the store. */
  public void claim(Transaction tx, long term) {
    long known = fence(tx);
    if (known > term) {
      throw over(term, known);
    }
    tx.set(keys.termFence(), new CounterRow(term).encode());
  }

  /**
   * Lets a transaction pass only if no later term has begun.
   *
   * @throws FencedException if there is a later term
   */
  public void check(Transaction tx, long term) {
    long known = fence(tx);
    if (known != term) {
      throw over(term, known);
    }
  }

  private long fence(ReadTransaction tx) {
    return tx.get(keys.termFence()).map(row -> CounterRow.decode(row).value()).orElse(0L);
  }

  private static FencedException over(long term, long known) {
    return new FencedException(
        "Term %d of this manager is over in the store: term %d has begun. Nothing was written"
            .formatted(term, known));
  }

  private Optional<Long> outcome(ReadTransaction tx, String operation) {
    return tx.get(keys.outcome(operation)).map(row -> CounterRow.decode(row).value());
  }

  /** Whether the first step of an operation has been done. */
  public boolean isFlipped(ReadTransaction tx, String operation) {
    return outcome(tx, operation).filter(found -> found == FLIPPED).isPresent();
  }

  /** Whether the operation was given up before its first step. */
  public boolean isGivenUp(ReadTransaction tx, String operation) {
    return outcome(tx, operation).filter(found -> found == GIVEN_UP).isPresent();
  }

  /** Says that the first step is done, in its transaction. */
  public void flip(Transaction tx, String operation) {
    tx.set(keys.outcome(operation), new CounterRow(FLIPPED).encode());
  }

  /** Gives an operation up, unless its first step is done; whether it was given up. */
  public boolean giveUp(Transaction tx, String operation) {
    if (isFlipped(tx, operation)) {
      return false;
    }
    tx.set(keys.outcome(operation), new CounterRow(GIVEN_UP).encode());
    return true;
  }

  /** Forgets an operation that has ended. */
  public void forget(Transaction tx, String operation) {
    tx.clear(keys.outcome(operation));
  }
}
