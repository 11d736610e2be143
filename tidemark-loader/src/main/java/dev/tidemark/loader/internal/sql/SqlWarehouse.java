package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.Batch;
import dev.tidemark.loader.DeadLetter;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A warehouse on a database that speaks SQL. One connection merges, one batch at a time; questions
 * have their own, so that a merge that hangs can be asked for. The rows of a batch that is
 * announced go to the stage of another connection meanwhile, which then merges them.
 */
public final class SqlWarehouse implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.loader");
  private static final Duration QUESTION_MAX = Duration.ofSeconds(10);
  private static final Duration STATEMENT_MAX = Duration.ofMinutes(2);

  private final Dialect dialect;
  private final Places places = new Places();
  private final Lanes lanes;
  private final ReentrantLock merging = new ReentrantLock();
  private final ReentrantLock filling = new ReentrantLock();

  // Guarded by merging.
  private boolean lettersPrepared;
  private int mergesUntilClean;

  /** A warehouse that closes its dialect when it is closed. */
  public SqlWarehouse(Dialect dialect) {
    this.dialect = dialect;
    this.lanes = new Lanes(dialect);
  }

  /** See {@link dev.tidemark.loader.Warehouse#prepare}. */
  public void prepare(Table table, Table.Policy policy) {
    merging.lock();
    try {
      Lane lane = lanes.take();
      try {
        Connection connection = lane.connection();
        dialect.limit(connection, STATEMENT_MAX);
        dialect.lockDefinitions(connection);
        Bookkeeping.create(connection);
        new TableCheck(dialect, connection, table).run(policy);
        connection.commit();
      } finally {
        drop(lane);
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(
          "Table '%s' cannot be prepared in %s: %s"
              .formatted(table.name(), dialect.describe(), failure.getMessage()),
          failure);
    } finally {
      merging.unlock();
    }
  }

  /**
   * See {@link dev.tidemark.loader.Warehouse#expect}. Only for a dialect whose stages keep their
   * rows at the end of a transaction, as those of DuckDB do.
   */
  public void expect(Table table, List<Row> rows) {
    filling.lock();
    try {
      fill(lanes.take(), table, rows);
    } catch (SQLException | RuntimeException failure) {
      // The merge finds out too, and says what it means.
      LOG.log(Level.DEBUG, "Rows cannot be staged ahead of their merge", failure);
    } finally {
      filling.unlock();
    }
  }

  private void fill(Lane lane, Table table, List<Row> rows) throws SQLException {
    boolean filled = false;
    try {
      lane.stage(table, rows);
      // The merge has to see what is committed between now and then.
      lane.connection().commit();
      filled = true;
    } finally {
      if (filled) {
        lanes.giveFilled(lane, table, rows);
      } else {
        lane.drop();
      }
    }
  }

  /** See {@link dev.tidemark.loader.Warehouse#merge}. */
  public MergeOutcome merge(Batch batch) {
    merging.lock();
    try {
      Optional<Lane> filled = lanes.takeFilled(batch.table(), batch.rows());
      return merge(batch, filled.isPresent() ? filled.get() : lanes.take(), filled.isPresent());
    } catch (SQLException failure) {
      return dialect.outcomeOf(failure);
    } finally {
      merging.unlock();
    }
  }

  private MergeOutcome merge(Batch batch, Lane lane, boolean filled) {
    boolean stored = false;
    try {
      MergeOutcome outcome = tried(batch, lane, filled);
      stored = outcome instanceof MergeOutcome.Merged;
      return outcome;
    } catch (SQLException failure) {
      return dialect.outcomeOf(failure);
    } catch (RuntimeException mistake) {
      return new MergeOutcome.Refused(mistake.toString());
    } finally {
      release(lane, stored);
    }
  }

  /** Whatever a lane is in that has failed, a new one is not. */
  private void release(Lane lane, boolean ok) {
    if (ok && lane.isEmpty()) {
      lanes.give(lane);
    } else {
      drop(lane);
    }
  }

  private MergeOutcome tried(Batch batch, Lane lane, boolean filled) throws SQLException {
    Connection connection = lane.connection();
    dialect.limit(connection, batch.timeLimit());
    Optional<Boolean> known =
        Bookkeeping.register(connection, batch.job(), batch.source(), batch.rows().size());
    if (known.isPresent()) {
      connection.rollback();
      return known.get() ? merged(batch, 0) : new MergeOutcome.Absent();
    }
    if (!filled && !batch.rows().isEmpty()) {
      lane.stage(batch.table(), batch.rows());
    }
    long changed = batch.rows().isEmpty() ? 0 : lane.merge(batch.table(), batch.rows());
    Optional<String> position = batch.position();
    if (position.isPresent() && !places.move(connection, batch.source(), position.get())) {
      return new MergeOutcome.Impossible(
          "Another process has moved the position of '%s' on, and only one at a time may fill the table"
              .formatted(batch.source()));
    }
    clean(connection);
    return committed(connection, batch, changed);
  }

  private void clean(Connection connection) throws SQLException {
    if (--mergesUntilClean < 0) {
      Bookkeeping.forgetOldJobs(connection);
      mergesUntilClean = Bookkeeping.MERGES_BETWEEN_CLEANING;
    }
  }

  private MergeOutcome committed(Connection connection, Batch batch, long changed) {
    try {
      connection.commit();
      return merged(batch, changed);
    } catch (SQLException failure) {
      if (!dialect.maybeCommitted(failure)) {
        return dialect.outcomeOf(failure);
      }
      batch.position().ifPresent(position -> places.mayHaveMoved(batch.source(), position));
      return new MergeOutcome.Unknown(String.valueOf(failure.getMessage()));
    }
  }

  private MergeOutcome merged(Batch batch, long changed) {
    batch.position().ifPresent(position -> places.moved(batch.source(), position));
    return new MergeOutcome.Merged(changed);
  }

  private void drop(Lane lane) {
    lane.drop();
    lettersPrepared = false;
  }

  /** See {@link dev.tidemark.loader.DeadLetters#write}. */
  public void write(List<DeadLetter> letters) {
    merging.lock();
    try {
      Lane lane = lanes.take();
      boolean stored = false;
      try {
        write(lane, letters);
        stored = true;
      } finally {
        release(lane, stored);
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(
          "%d dead letters cannot be stored in %s: %s"
              .formatted(letters.size(), dialect.describe(), failure.getMessage()),
          failure);
    } finally {
      merging.unlock();
    }
  }

  private void write(Lane lane, List<DeadLetter> letters) throws SQLException {
    Connection connection = lane.connection();
    dialect.limit(connection, STATEMENT_MAX);
    if (!lettersPrepared) {
      dialect.lockDefinitions(connection);
      new TableCheck(dialect, connection, DeadLetterTable.TABLE).run(Table.Policy.CREATE);
      lettersPrepared = true;
    }
    List<Row> rows = DeadLetterTable.rows(letters);
    lane.stage(DeadLetterTable.TABLE, rows);
    lane.merge(DeadLetterTable.TABLE, rows);
    connection.commit();
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

  @Override
  public void close() {
    merging.lock();
    filling.lock();
    try {
      lanes.close();
      dialect.close();
    } finally {
      filling.unlock();
      merging.unlock();
    }
  }
}
