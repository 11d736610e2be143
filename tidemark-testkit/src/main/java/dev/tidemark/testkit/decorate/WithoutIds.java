package dev.tidemark.testkit.decorate;

import dev.tidemark.kv.Database;
import java.util.List;

/**
 * A database that says its commits never end unknown, so that no idempotency ids appear among the
 * keys of a test. For the conformance of engines whose commits can be unknown and that do not keep
 * ids themselves.
 */
public final class WithoutIds extends Owning {
  private WithoutIds(Database database, List<AutoCloseable> ownedBelow) {
    super(database, ownedBelow);
  }

  /** {@code database}, with which {@code ownedBelow} is closed, in that order. */
  public static WithoutIds over(Database database, AutoCloseable... ownedBelow) {
    return new WithoutIds(database, List.of(ownedBelow));
  }

  @Override
  public boolean commitCanBeUnknown() {
    return false;
  }
}
