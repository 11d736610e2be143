package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.Batch;
import dev.tidemark.loader.DeadLetter;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A warehouse on a database that speaks SQL. One connection merges, one batch at a time; questions
 * have their own, so that a merge that hangs can be asked for.
 */
public final class SqlWarehouse implements AutoCloseable {
  private static final Duration QUESTION_MAX = Duration.ofSeconds(10);
  private static final Duration STATEMENT_MAX = Duration.ofMinutes(2);

  private final Dialect dialect;
  private final Places places = new Places();
  private final ReentrantLock merging = new ReentrantLock();

  // Guarded by merging.
  private final Set<String> stages = new HashSet<>();
  private @Nullable Connection connection;
  private boolean lettersPrepared;
  private int mergesUntilClean;
  private volatile boolean closed;

  /** A warehouse that closes its dialect when it is closed. */
  public SqlWarehouse(Dialect dialect) {
    this.dialect = dialect;
  }

  /** See {@link dev.tidemark.loader.Warehouse#prepare}. */
  public void prepare(Table table, Table.Policy policy) {
    merging.lock();
    try {
      Connection current = connection();
      dialect.limit(current, STATEMENT_MAX);
      dialect.lockDefinitions(current);
      Bookkeeping.create(current);
      new TableCheck(dialect, current, table).run(policy);
      current.commit();
      stages.clear();
      drop();
    } catch (SQLException failure) {
      drop();
      throw new IllegalStateException(
          "Table '%s' cannot be prepared in %s: %s"
              .formatted(table.name(), dialect.describe(), failure.getMessage()),
          failure);
    } catch (RuntimeException | Error failure) {
      drop();
      throw failure;
    } finally {
      merging.unlock();
    }
  }

  /** See {@link dev.tidemark.loader.Warehouse#merge}. */
  public MergeOutcome merge(Batch batch) {
    merging.lock();
    try {
      Connection current = connection();
      dialect.limit(current, batch.timeLimit());
      Optional<Boolean> known =
          Bookkeeping.register(current, batch.job(), batch.source(), batch.rows().size());
      if (known.isPresent()) {
        current.rollback();
        return known.get() ? merged(batch, 0) : new MergeOutcome.Absent();
      }
      long changed = batch.rows().isEmpty() ? 0 : mergeRows(current, batch.table(), batch.rows());
      Optional<String> position = batch.position();
      if (position.isPresent() && !places.move(current, batch.source(), position.get())) {
        return failed(
            new MergeOutcome.Impossible(
                "Another process has moved the position of '%s' on, and only one at a time may fill the table"
                    .formatted(batch.source())));
      }
      clean(current);
      return committed(current, batch, changed);
    } catch (SQLException failure) {
      return failed(dialect.outcomeOf(failure));
    } catch (RuntimeException mistake) {
      return failed(new MergeOutcome.Refused(mistake.toString()));
    } catch (Error broken) {
      // What the transaction has done so far must not become part of the next one.
      drop();
      throw broken;
    } finally {
      merging.unlock();
    }
  }

  private long mergeRows(Connection current, Table table, List<Row> rows) throws SQLException {
    String stage = Sql.stageName(dialect, table);
    if (stages.add(stage)) {
      dialect.createStage(current, table, stage);
    }
    dialect.stage(current, table, stage, rows);
    return dialect.merge(current, table, stage, rows, Sql.anyDeletion(rows));
  }

  private void clean(Connection current) throws SQLException {
    if (--mergesUntilClean < 0) {
      Bookkeeping.forgetOldJobs(current);
      mergesUntilClean = Bookkeeping.MERGES_BETWEEN_CLEANING;
    }
  }

  private MergeOutcome committed(Connection current, Batch batch, long changed) {
    try {
      current.commit();
      return merged(batch, changed);
    } catch (SQLException failure) {
      if (!dialect.maybeCommitted(failure)) {
        return failed(dialect.outcomeOf(failure));
      }
      batch.position().ifPresent(position -> places.mayHaveMoved(batch.source(), position));
      return failed(new MergeOutcome.Unknown(String.valueOf(failure.getMessage())));
    }
  }

  private MergeOutcome merged(Batch batch, long changed) {
    batch.position().ifPresent(position -> places.moved(batch.source(), position));
    return new MergeOutcome.Merged(changed);
  }

  /** Whatever the connection is in, a new one is not. */
  private MergeOutcome failed(MergeOutcome outcome) {
    drop();
    return outcome;
  }

  /** See {@link dev.tidemark.loader.DeadLetters#write}. */
  public void write(List<DeadLetter> letters) {
    merging.lock();
    try {
      Connection current = connection();
      dialect.limit(current, STATEMENT_MAX);
      if (!lettersPrepared) {
        dialect.lockDefinitions(current);
        new TableCheck(dialect, current, DeadLetterTable.TABLE).run(Table.Policy.CREATE);
        lettersPrepared = true;
      }
      mergeRows(current, DeadLetterTable.TABLE, DeadLetterTable.rows(letters));
      current.commit();
    } catch (SQLException failure) {
      drop();
      throw new IllegalStateException(
          "%d dead letters cannot be stored in %s: %s"
              .formatted(letters.size(), dialect.describe(), failure.getMessage()),
          failure);
    } catch (RuntimeException | Error failure) {
      drop();
      throw failure;
    } finally {
      merging.unlock();
    }
  }

  /** See {@link dev.tidemark.loader.Warehouse#settle}. */
  public MergeOutcome settle(UUID job) {
    try (Connection own = dialect.open()) {
      dialect.limit(own, QUESTION_MAX);
      boolean merged = Bookkeeping.fence(own, job);
      own.commit();
      return merged ? new MergeOutcome.Merged(-1) : new MergeOutcome.Absent();
    } catch (SQLException failure) {
      return new MergeOutcome.Unknown(String.valueOf(failure.getMessage()));
    }
  }

  /** See {@link dev.tidemark.loader.Warehouse#position}. */
  public Optional<String> position(String source) {
    // A batch that is stored meanwhile would leave us with a place that was.
    merging.lock();
    try (Connection own = dialect.open()) {
      dialect.limit(own, QUESTION_MAX);
      Optional<String> place = position(own, source);
      places.asked(source, place);
      return place;
    } catch (SQLException failure) {
      throw new IllegalStateException(
          "%s does not tell the position of '%s': %s"
              .formatted(dialect.describe(), source, failure.getMessage()),
          failure);
    } finally {
      merging.unlock();
    }
  }

  private static Optional<String> position(Connection connection, String source)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(Bookkeeping.POSITION)) {
      query.setString(1, source);
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
      }
    }
  }

  private Connection connection() throws SQLException {
    if (closed) {
      throw new SQLException("The warehouse is closed", "08003");
    }
    Connection current = connection;
    if (current == null) {
      current = dialect.open();
      connection = current;
    }
    return current;
  }

  private void drop() {
    Connection old = connection;
    connection = null;
    stages.clear();
    lettersPrepared = false;
    if (old != null) {
      try (old) {
        old.rollback();
      } catch (SQLException gone) {
        // It is of no use any more, and nobody uses it.
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    merging.lock();
    try {
      drop();
      dialect.close();
    } finally {
      merging.unlock();
    }
  }
}
