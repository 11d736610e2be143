package dev.tidemark.changes.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ReadOnlyTransaction;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.UnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * States of readers in three tables of a Spanner database, in either dialect.
 *
 * <p>The table of partitions has the columns of Apache Beam's connector, and those that leases,
 * fences and exact positions need. {@link #createTables} makes the tables; a program without that
 * right can have an operator run {@link #ddl}.
 */
public final class SpannerMetadataStore implements MetadataStore {
  private static final long DDL_MINUTES = 10;

  private final Spanner spanner;
  private final DatabaseId database;
  private final DatabaseClient client;
  private final MetadataTables tables;
  private final SpannerClock clock;

  /**
   * The emulator gives up the transactions of a session when the next one begins, and the client
   * has one session. Spanner itself does not.
   */
  private final Optional<ReentrantLock> oneAtATime;

  SpannerMetadataStore(Spanner spanner, SpannerChangesOptions options) {
    this.spanner = spanner;
    this.database = options.metadataDatabase();
    this.client = spanner.getDatabaseClient(database);
    this.tables = new MetadataTables(options.metadataTable());
    this.clock = new SpannerClock(client, options.time());
    this.oneAtATime = options.emulator().map(address -> new ReentrantLock());
  }

  /** The statements that make the tables, in the database's dialect. */
  public List<String> ddl() {
    return tables.create(isPostgres());
  }

  /** Makes the tables, unless they are there. Can be repeated. */
  public void createTables() {
    change(ddl());
  }

  /** Removes the tables with everything in them. Can be repeated. */
  public void dropTables() {
    change(tables.drop(isPostgres()));
  }

  private boolean isPostgres() {
    return client.getDialect() == Dialect.POSTGRESQL;
  }

  private void change(List<String> statements) {
    String instance = database.getInstanceId().getInstance();
    try {
      spanner
          .getDatabaseAdminClient()
          .updateDatabaseDdl(instance, database.getDatabase(), statements, null)
          .get(DDL_MINUTES, TimeUnit.MINUTES);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new dev.tidemark.kv.InterruptedOperationException(
          "Interrupted while the tables of " + database + " were changed", interrupt);
    } catch (ExecutionException | TimeoutException failure) {
      throw new IllegalStateException(
          "The metadata tables in %s cannot be changed; let somebody with that right run: %s"
              .formatted(database, String.join("; ", statements)),
          failure);
    }
  }

  @Override
  public <T> T update(String run, Function<Rows, T> body) {
    Attempt<T> attempt = new Attempt<>(body);
    oneAtATime.ifPresent(ReentrantLock::lock);
    try {
      clock.refresh();
      T result =
          client
              .readWriteTransaction()
              .run(
                  tx -> {
                    SpannerRows rows = new SpannerRows(tx, tables, run);
                    T made = attempt.apply(rows);
                    tx.buffer(rows.mutations());
                    return made;
                  });
      if (result == null) {
        throw new IllegalStateException("A change of the metadata returned nothing");
      }
      return result;
    } catch (SpannerException failure) {
      attempt.rethrow();
      throw translated(failure);
    } finally {
      oneAtATime.ifPresent(ReentrantLock::unlock);
    }
  }

  /** The body of a change; its own failure is not to be mistaken for Spanner's. */
  private static final class Attempt<T> {
    private final Function<Rows, T> body;
    private @Nullable RuntimeException thrown;

    Attempt(Function<Rows, T> body) {
      this.body = body;
    }

    T apply(Rows rows) {
      thrown = null;
      try {
        return body.apply(rows);
      } catch (SpannerException own) {
        throw own;
      } catch (RuntimeException failure) {
        thrown = failure;
        throw failure;
      }
    }

    void rethrow() {
      RuntimeException failure = thrown;
      if (failure != null) {
        throw failure;
      }
    }
  }

  @Override
  public <T> T read(String run, Function<Rows, T> body) {
    oneAtATime.ifPresent(ReentrantLock::lock);
    try (ReadOnlyTransaction read = client.readOnlyTransaction()) {
      return body.apply(new SpannerRows(read, tables, run));
    } catch (SpannerException failure) {
      throw translated(failure);
    } finally {
      oneAtATime.ifPresent(ReentrantLock::unlock);
    }
  }

  @Override
  public Instant now() {
    try {
      return clock.now();
    } catch (SpannerException failure) {
      throw translated(failure);
    }
  }

  @Override
  public void delete(String run) {
    KeySet rows = KeySet.range(KeyRange.prefix(Key.of(run)));
    oneAtATime.ifPresent(ReentrantLock::lock);
    try {
      client.write(
          List.of(
              Mutation.delete(tables.partitions(), rows),
              Mutation.delete(tables.members(), rows),
              Mutation.delete(tables.runs(), rows)));
    } catch (SpannerException failure) {
      throw translated(failure);
    } finally {
      oneAtATime.ifPresent(ReentrantLock::unlock);
    }
  }

  private RuntimeException translated(SpannerException failure) {
    String message = "Metadata in %s: %s".formatted(database, failure.getMessage());
    return switch (failure.getErrorCode()) {
      case UNAVAILABLE, RESOURCE_EXHAUSTED, ABORTED ->
          UnavailableException.unanswered(message, failure);
      case DEADLINE_EXCEEDED, INTERNAL, UNKNOWN -> new CommitUnknownException(message, failure);
      default ->
          failure.getErrorCode() == ErrorCode.NOT_FOUND
                  && String.valueOf(failure.getMessage()).contains("able not found")
              ? new IllegalStateException(
                  "%s. Call createTables(), or run: %s"
                      .formatted(message, String.join("; ", ddl())),
                  failure)
              : new IllegalStateException(message, failure);
    };
  }
}
