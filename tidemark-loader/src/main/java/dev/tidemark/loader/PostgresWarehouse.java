package dev.tidemark.loader;

import dev.tidemark.loader.internal.sql.PostgresDialect;
import dev.tidemark.loader.internal.sql.SqlWarehouse;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A warehouse in tables of PostgreSQL, which several loaders may fill at a time. Dead letters go to
 * its table {@code tidemark_dead_letters}.
 *
 * <p>Needs {@code org.postgresql:postgresql} on the class path.
 */
public final class PostgresWarehouse implements Warehouse, DeadLetters {
  /** A server that takes a connection and says nothing must not hold up the end of a run. */
  private static final int LOGIN_SECONDS_MAX = 10;

  private final SqlWarehouse warehouse;

  private PostgresWarehouse(SqlWarehouse warehouse) {
    this.warehouse = warehouse;
  }

  /**
   * A warehouse in the database behind {@code connections}, whose connections are PostgreSQL's own.
   * It has at most two open at a time.
   */
  public static PostgresWarehouse of(DataSource connections) {
    return new PostgresWarehouse(new SqlWarehouse(new PostgresDialect(connections)));
  }

  /**
   * A warehouse in the database at {@code url}, which looks like {@code
   * jdbc:postgresql://host/database?user=name&password=word}. Nothing is connected yet.
   *
   * @throws IllegalArgumentException if it is no such address
   */
  public static PostgresWarehouse open(String url) {
    PGSimpleDataSource connections = new PGSimpleDataSource();
    connections.setUrl(url);
    if (connections.getLoginTimeout() == 0) {
      connections.setLoginTimeout(LOGIN_SECONDS_MAX);
    }
    return of(connections);
  }

  @Override
  public void prepare(Table table, Table.Policy policy) {
    warehouse.prepare(table, policy);
  }

  @Override
  public MergeOutcome merge(Batch batch) {
    return warehouse.merge(batch);
  }

  @Override
  public MergeOutcome settle(UUID job) {
    return warehouse.settle(job);
  }

  @Override
  public Optional<String> position(String source) {
    return warehouse.position(source);
  }

  @Override
  public void write(List<DeadLetter> letters) {
    warehouse.write(letters);
  }

  @Override
  public void close() {
    warehouse.close();
  }
}
