package dev.tidemark.testkit.decorate;

import dev.tidemark.kv.Database;
import java.util.List;

/**
 * A database whose commits are taken for certain, so that no idempotency ids appear among the keys
 * that a test has written itself: for the conformance of engines whose commits can be unknown, and
 * that keep no ids of commits themselves.
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
