package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionAction;

/** Two transactions side by side, one of which commits first. */
abstract class ConflictSuite extends ConformanceSuite {
  ConflictSuite(DatabaseConformance engine) {
    super(engine);
  }

  /** Runs {@code mine}, then commits {@code theirs}; then mine must not commit. */
  void assertConflict(
      TransactionAction<RuntimeException> mine, TransactionAction<RuntimeException> theirs) {
    try (Transaction tx = db.begin()) {
      tx.readVersion();
      mine.accept(tx);
      tx.set(key("mine"), bytes("x"));
      db.run(theirs);
      assertFails(ConflictException.class, 1020, tx::commit);
    }
    assertThat(stored("mine")).as("a write of the refused commit").isEqualTo("absent");
  }

  /** Runs {@code mine}, then commits {@code theirs}; then mine commits all the same. */
  void assertNoConflict(
      TransactionAction<RuntimeException> mine, TransactionAction<RuntimeException> theirs) {
    try (Transaction tx = db.begin()) {
      tx.readVersion();
      mine.accept(tx);
      tx.set(key("mine"), bytes("x"));
      db.run(theirs);
      tx.commit();
    }
    assertThat(stored("mine")).isEqualTo("x");
    db.run(tx -> tx.clear(key("mine")));
  }
}
