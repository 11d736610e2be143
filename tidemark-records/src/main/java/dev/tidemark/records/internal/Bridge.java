package dev.tidemark.records.internal;

import dev.tidemark.kv.Database;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.internal.query.QueryEngine;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.space.IndexStates;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.sql.SqlRun;
import dev.tidemark.records.maintenance.Indexes;
import dev.tidemark.records.maintenance.Statistics;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.SqlQuery;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Gives public packages access to what others hide: the store behind a {@link RecordSpace}, and
 * constructors with internal parameters. A public class connects itself in its static initializer;
 * the bridge initializes the class if necessary.
 */
public final class Bridge {
  private static final Door<Spaces> SPACES = new Door<>(RecordSpace.class);
  private static final Door<Queries> QUERIES = new Door<>(Query.class);
  private static final Door<Maintenance> MAINTENANCE = new Door<>(Indexes.class);

  private static final Door<Schemas> SCHEMAS = new Door<>(Schema.class);

  private Bridge() {}

  /** The access to {@link RecordSpace}. */
  @FunctionalInterface
  public interface Spaces {
    /** The store behind {@code space}. */
    Space internals(RecordSpace space);
  }

  /** The access to the public package of queries. */
  public interface Queries {
    /** A query that {@code engine} runs. */
    <R> Query<R> query(QueryEngine<R> engine, QuerySpec spec);

    /** A query written as text. */
    SqlQuery sqlQuery(Database database, SqlRun run);
  }

  /** The access to the public package of maintenance. */
  public interface Maintenance {
    /** The public view of {@code states}. */
    Indexes indexes(IndexStates states);

    /** The statistics of {@code space}. */
    Statistics statistics(Space space);
  }

  /** What {@link Schema} opens. */
  @FunctionalInterface
  public interface Schemas {
    /** See {@link Bridge#check}. */
    void check(int version, List<TypeSpec> types, List<IndexSpec> indexes);
  }

  /** Called once, by {@link RecordSpace}. */
  public static void connect(Spaces spaces) {
    SPACES.open(spaces);
  }

  /** Called once, by {@link Query}. */
  public static void connect(Queries queries) {
    QUERIES.open(queries);
  }

  /** Called once, by {@link Indexes}. */
  public static void connect(Maintenance maintenance) {
    MAINTENANCE.open(maintenance);
  }

  /** Called once, by {@link Schema}. */
  public static void connect(Schemas schemas) {
    SCHEMAS.open(schemas);
  }

  /**
   * Checks a schema of which only the description is at hand, as at compile time.
   *
   * @throws dev.tidemark.records.SchemaException naming the type, field or index that does not fit
   */
  public static void check(int version, List<TypeSpec> types, List<IndexSpec> indexes) {
    SCHEMAS.behind().check(version, types, indexes);
  }

  /** The store behind {@code space}. */
  public static Space internals(RecordSpace space) {
    return SPACES.behind().internals(space);
  }

  /** A query that {@code engine} runs. */
  public static <R> Query<R> query(QueryEngine<R> engine, QuerySpec spec) {
    return QUERIES.behind().query(engine, spec);
  }

  /** A query written as text. */
  public static SqlQuery sqlQuery(Database database, SqlRun run) {
    return QUERIES.behind().sqlQuery(database, run);
  }

  /** The public view of {@code states}. */
  public static Indexes indexes(IndexStates states) {
    return MAINTENANCE.behind().indexes(states);
  }

  /** The statistics of {@code space}. */
  public static Statistics statistics(Space space) {
    return MAINTENANCE.behind().statistics(space);
  }

  /**
   * The access that one class gives to others.
   *
   * @param home connects itself in its static initializer
   */
  private record Door<T>(Class<?> home, AtomicReference<@Nullable T> opened) {
    Door(Class<?> home) {
      this(home, new AtomicReference<>());
    }

    void open(T what) {
      if (!opened.compareAndSet(null, what)) {
        throw new IllegalStateException(home.getName() + " is connected already");
      }
    }

    T behind() {
      T known = opened.get();
      if (known == null) {
        initialize();
        known = opened.get();
      }
      if (known == null) {
        throw new IllegalStateException(home.getName() + " did not connect itself");
      }
      return known;
    }

    private void initialize() {
      try {
        MethodHandles.lookup().ensureInitialized(home);
      } catch (IllegalAccessException impossible) {
        throw new IllegalStateException(home.getName() + " is not public", impossible);
      }
    }
  }
}
