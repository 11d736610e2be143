package dev.tidemark.pulse.testkit;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.testkit.Fault;
import dev.tidemark.testkit.FaultPlan;
import dev.tidemark.testkit.FaultyDatabase;

/** The stores of Tidemark that the suites run on. */
final class OnTidemark {
  private OnTidemark() {}

  /** A store in memory. */
  static Database inMemory() {
    return EmbeddedDatabase.inMemory();
  }

  /** A store in memory, every tenth commit of which goes wrong somehow. */
  static Database faulty() {
    return FaultyDatabase.over(
        EmbeddedDatabase.inMemory(), FaultPlan.random(1, 0.1, Fault.values()));
  }
}
