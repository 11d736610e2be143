package dev.tidemark.records.internal.migration;

import dev.tidemark.records.maintenance.MigrationStep;
import dev.tidemark.records.schema.RecordType;
import java.util.function.UnaryOperator;

/** A step of migrations. */
public sealed interface MigrationPlan {
  /** What the step goes by. */
  String name();

  /** Saves what a function makes of each record of a type. */
  record Transform<R>(String name, RecordType<R> type, UnaryOperator<R> change)
      implements MigrationPlan {}

  /** Anything else. */
  record Custom(String name, Work work) implements MigrationPlan {}

  /** What a custom step does. */
  @FunctionalInterface
  interface Work {
    /** Does it; {@code renew} is to be called now and then if there are no transactions. */
    void run(MigrationStep.Context context, Runnable renew);
  }
}
