package dev.tidemark.records.internal.index;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.maintenance.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values of a unique index that a builder found in several records. Only the values are stored;
 * the entries tell which records have them, so every removal of entries may resolve a violation.
 */
public final class Violations {
  private static final byte[] NOTHING = new byte[0];

  private final ValueMaintainer maintainer;

  private Violations(ValueMaintainer maintainer) {
    this.maintainer = maintainer;
  }

  /** The violations of the index of {@code maintainer}; empty if the index is not unique. */
  public static Optional<Violations> of(Maintainer maintainer) {
    return maintainer instanceof ValueMaintainer value && value.index().unique()
        ? Optional.of(new Violations(value))
        : Optional.empty();
  }

  /** Notes that several records have {@code values}. */
  void note(Transaction tx, Tuple values) {
    tx.set(maintainer.keys().violations().pack(values), NOTHING);
  }

  /**
   * Removes at most {@code limit} violations that are resolved, up to the first that is not, and
   * returns how many.
   */
  public int settle(Transaction tx, int limit) {
    int settled = 0;
    for (KeyValue row : tx.scan(maintainer.keys().violations().prefixRange())) {
      if (settled == limit || owners(tx, values(row), 2).size() > 1) {
        break;
      }
      tx.clear(row.key());
      settled++;
    }
    return settled;
  }

  /** Whether any are noted. */
  public boolean exist(ReadTransaction tx) {
    return tx.scan(maintainer.keys().violations().prefixRange()).first().isPresent();
  }

  public List<Violation> list(ReadTransaction tx, int limit) {
    List<Violation> found = new ArrayList<>();
    for (KeyValue row : tx.scan(maintainer.keys().violations().prefixRange())) {
      if (found.size() >= limit) {
        break;
      }
      List<Tuple> owners = owners(tx, values(row), Integer.MAX_VALUE);
      if (owners.size() > 1) {
        found.add(new Violation(maintainer.index().name(), values(row), owners));
      }
    }
    return found;
  }

  private Tuple values(KeyValue row) {
    return maintainer.keys().violations().unpack(row.key());
  }

  private List<Tuple> owners(ReadTransaction tx, Tuple values, int limit) {
    return tx.scan(maintainer.keys().entriesStartingWith(values)).limit(limit).stream()
        .map(row -> maintainer.primaryKeyOf(maintainer.keys().entries().unpack(row.key())))
        .toList();
  }
}
