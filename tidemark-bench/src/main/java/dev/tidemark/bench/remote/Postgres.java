package dev.tidemark.bench.remote;

import dev.tidemark.bench.rows.Dataset;
import dev.tidemark.testkit.server.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A PostgreSQL server of its own on loopback, with a connection and prepared statements for each
 * caller. A commit returns when it is on disk, as PostgreSQL does unless it is told otherwise.
 */
final class Postgres implements AutoCloseable {
  /** What differs from PostgreSQL's defaults. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "shared_buffers", "256MB",
          // Fewer checkpoints, so that fewer pages are written to the log in full.
          "max_wal_size", "4GB",
          "max_connections", "100");

  private static final int LOAD_ROWS = 10_000;

  private final PostgresServer server;
  private final List<Caller> callers = new ArrayList<>();

  /** One connection, for one thread at a time. */
  static final class Caller {
    private final Connection connection;
    private final PreparedStatement select;
    private final PreparedStatement upsert;

    private Caller(Connection connection) throws SQLException {
      this.connection = connection;
      select = connection.prepareStatement("SELECT v FROM kv WHERE k = ?");
      upsert =
          connection.prepareStatement(
              "INSERT INTO kv(k, v) VALUES(?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v");
    }

    byte[] get(byte[] key) throws SQLException {
      select.setBytes(1, key);
      try (ResultSet rows = select.executeQuery()) {
        if (!rows.next()) {
          throw new IllegalStateException("A key that was loaded is missing");
        }
        return rows.getBytes(1);
      }
    }

    void set(byte[] key, byte[] value) throws SQLException {
      upsert.setBytes(1, key);
      upsert.setBytes(2, value);
      upsert.executeUpdate();
    }
  }

  private Postgres(PostgresServer server) {
    this.server = server;
  }

  /** Starts a server with all its files below {@code directory} and connects all callers. */
  static Postgres start(Path directory, int callers) throws SQLException {
    Postgres postgres = new Postgres(PostgresServer.start(directory, SETTINGS));
    try {
      postgres.connect(callers);
      return postgres;
    } catch (SQLException | RuntimeException failure) {
      postgres.close();
      throw failure;
    }
  }

  private void connect(int count) throws SQLException {
    try (Connection connection = server.connections().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kv(k bytea PRIMARY KEY, v bytea NOT NULL)");
    }
    for (int i = 0; i < count; i++) {
      callers.add(new Caller(server.connections().getConnection()));
    }
  }

  Caller caller(int number) {
    return callers.get(number);
  }

  /** Stores all rows in ascending order and leaves the table as its owner would have it. */
  void load(Dataset dataset) throws SQLException {
    try (Connection connection = server.connections().getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO kv SELECT * FROM unnest(?, ?)");
        Statement statement = connection.createStatement()) {
      SplittableRandom random = new SplittableRandom(1);
      for (int from = 0; from < dataset.size(); from += LOAD_ROWS) {
        byte[][] keys = new byte[Math.min(LOAD_ROWS, dataset.size() - from)][];
        byte[][] values = new byte[keys.length][];
        for (int i = 0; i < keys.length; i++) {
          keys[i] = dataset.sorted(from + i);
          values[i] = Dataset.value(random);
        }
        insert.setArray(1, connection.createArrayOf("bytea", keys));
        insert.setArray(2, connection.createArrayOf("bytea", values));
        insert.executeUpdate();
      }
      statement.execute("VACUUM ANALYZE kv");
      statement.execute("CHECKPOINT");
    }
  }

  /** The version and the settings that matter, as the server itself tells them. */
  Map<String, Object> settings() throws SQLException {
    Map<String, Object> settings = new LinkedHashMap<>();
    try (Statement statement = callers.getFirst().connection.createStatement()) {
      List<String> names = new ArrayList<>(List.of("server_version"));
      server.settings().keySet().stream().sorted().forEach(names::add);
      for (String name : names) {
        try (ResultSet rows = statement.executeQuery("SHOW " + name)) {
          rows.next();
          settings.put(name, rows.getString(1));
        }
      }
    }
    return settings;
  }

  @Override
  public void close() {
    try {
      for (Caller caller : callers) {
        caller.connection.close();
      }
    } catch (SQLException failure) {
      throw new IllegalStateException("A connection to PostgreSQL does not close", failure);
    } finally {
      server.close();
    }
  }
}
