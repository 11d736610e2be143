package dev.tidemark.records.maintenance;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.MigrationBusyException;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.migration.MigrationPlan;
import dev.tidemark.records.internal.migration.MigrationRun;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Named steps that convert the records of a space from one version of a program to the next, each
 * once and in order.
 *
 * <p>The progress is stored in the space by the same transactions that do the work. The next run
 * resumes one that ended early, and a step that is done never runs again. Two programs never
 * migrate one space at the same time: the second is refused or waits. Programs read and write
 * records meanwhile.
 *
 * <p>The name identifies a step. Append new steps to the list; steps that every store has done may
 * be removed.
 */
public final class Migrations {
  private final RecordSpace space;
  private final List<MigrationPlan> steps;

  private Migrations(RecordSpace space, List<MigrationPlan> steps) {
    this.space = space;
    this.steps = List.copyOf(steps);
  }

  /** Migrations of {@code space} without steps. */
  public static Migrations of(RecordSpace space) {
    return new Migrations(space, List.of());
  }

  /**
   * These migrations and one that applies {@code change} to each record of {@code type} and saves
   * the result. Batches of records are read and saved in one transaction, so no change of another
   * program is lost. A record that a program saves while the step runs may be converted before or
   * after that, so {@code change} must return a record that has the new form unchanged.
   *
   * @param change must not change primary keys; it may run more than once for a record
   */
  public <R> Migrations transform(String name, RecordType<R> type, UnaryOperator<R> change) {
    space.store(type);
    return with(new MigrationPlan.Transform<>(name, type, change));
  }

  /** These migrations and one that builds indexes of one type and makes them readable. */
  public Migrations buildIndexes(String name, String... indexes) {
    OnlineIndexer.of(space, options -> options.withIndexes(indexes)).close();
    return with(
        new MigrationPlan.Custom(
            name, (context, renew) -> build(indexes, progress -> renew.run())));
  }

  private void build(String[] indexes, Consumer<BuildProgress> listener) {
    try (OnlineIndexer indexer =
        OnlineIndexer.of(space, o -> o.withIndexes(indexes).withListener(listener))) {
      indexer.build();
    }
  }

  /** These migrations and a custom one. */
  public Migrations custom(String name, MigrationStep step) {
    return with(new MigrationPlan.Custom(name, (context, renew) -> step.run(context)));
  }

  private Migrations with(MigrationPlan step) {
    if (steps.stream().anyMatch(other -> other.name().equals(step.name()))) {
      throw new IllegalArgumentException(
          "Two migrations are called '%s'; a step goes by its name".formatted(step.name()));
    }
    List<MigrationPlan> more = new ArrayList<>(steps);
    more.add(step);
    return new Migrations(space, more);
  }

  /**
   * Runs the steps that are not done, in order, and returns the status of each step.
   *
   * @throws MigrationBusyException if another program migrates the space for longer than {@link
   *     MigrationOptions#patience}
   * @throws IllegalStateException if a step that is not done comes before one that is
   * @throws dev.tidemark.kv.InterruptedOperationException if the thread was interrupted
   */
  public List<MigrationStatus> run(UnaryOperator<MigrationOptions> change) {
    new MigrationRun(space, Bridge.internals(space), steps, change.apply(MigrationOptions.DEFAULTS))
        .run();
    return space.database().read(this::status);
  }

  /** Runs the steps that are not done, with default options. */
  public List<MigrationStatus> run() {
    return run(options -> options);
  }

  /** The status of each step. */
  public List<MigrationStatus> status(ReadTransaction tx) {
    return MigrationRun.status(Bridge.internals(space), steps, tx);
  }
}
