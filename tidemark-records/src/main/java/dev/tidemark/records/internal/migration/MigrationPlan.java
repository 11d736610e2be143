package dev.tidemark.records.internal.migration;

import dev.tidemark.records.maintenance.MigrationStep;
import dev.tidemark.records.schema.RecordType;
import java.util.function.UnaryOperator;

/** A step of migrations. */
public sealed interface MigrationPlan {
  /** The name that identifies the step. */
  String name();

  /** Applies a function to each record of a type. */
  record Transform<R>(String name, RecordType<R> type, UnaryOperator<R> change)
      implements MigrationPlan {}

  /** A custom step. */
  record Custom(String name, Work work) implements MigrationPlan {}

  /** The work of a custom step. */
  @FunctionalInterface
  interface Work {
    /** Does the work; it calls {@code renew} periodically if it has no transactions. */
    void run(MigrationStep.Context context, Runnable renew);
  }
}
