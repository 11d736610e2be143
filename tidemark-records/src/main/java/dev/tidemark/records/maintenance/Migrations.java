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
 * Steps that take the records of a space from one version of a program to the next, each once and
 * in order.
 *
 * <p>What has been done is stored in the space, in the same transactions that do it: a run that
 * ends early, by a failure or the end of the process, is gone on with by the next one, and a step
 * that is done never runs again. Two programs do not migrate one space at a time: whoever comes
 * second is refused or waits. Programs read and write records meanwhile.
 *
 * <p>A step goes by its name. New steps go to the end of the list; those that every store has done
 * may be left out.
 */
public final class Migrations {
  private final RecordSpace space;
  private final List<MigrationPlan> steps;

  private Migrations(RecordSpace space, List<MigrationPlan> steps) {
    this.space = space;
    this.steps = List.copyOf(steps);
  }

  /** Migrations of {@code space}, without steps as yet. */
  public static Migrations of(RecordSpace space) {
    return new Migrations(space, List.of());
  }

  /**
   * These migrations and one that saves what {@code change} makes of each record of {@code type}.
   * Records are read and saved in one transaction, some at a time, so no change of another program
   * is lost. A record that is saved by a program while the step runs may be changed before or after
   * that, so {@code change} must leave alone what has the new form already.
   *
   * @param change must not change primary keys; it may be called more than once for a record
   */
  public <R> Migrations transform(String name, RecordType<R> type, UnaryOperator<R> change) {
    space.store(type);
    return with(new MigrationPlan.Transform<>(name, type, change));
  }

  /** These migrations and one that builds indexes of one type until they can be read. */
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

  /** These migrations and one that a program writes itself. */
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
   * Runs what is not done, in order, and answers what became of each.
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

  /** Runs what is not done, with default options. */
  public List<MigrationStatus> run() {
    return run(options -> options);
  }

  /** What became of each step as yet. */
  public List<MigrationStatus> status(ReadTransaction tx) {
    return MigrationRun.status(Bridge.internals(space), steps, tx);
  }
}
