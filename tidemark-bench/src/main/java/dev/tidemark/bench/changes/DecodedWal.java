package dev.tidemark.bench.changes;

import dev.tidemark.bench.records.User;
import dev.tidemark.bench.records.Users;
import dev.tidemark.testkit.server.PostgresServer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.replication.PGReplicationStream;

/**
 * The same users in a PostgreSQL server of its own, and their changes as its logical decoding
 * streams them: the plugin {@code test_decoding} through the driver's replication stream, which is
 * what change-data-capture tools for PostgreSQL read from.
 */
final class DecodedWal implements AutoCloseable {
  static final String RIVAL = "PostgreSQL logical decoding (test_decoding) through pgjdbc";

  private static final String SLOT = "bench";
  private static final int LOAD_USERS = 1_000;
  private static final String AGE = "age[integer]:";

  private final PostgresServer server;

  DecodedWal(Path directory) throws SQLException {
    server =
        PostgresServer.start(
            directory,
            Map.of(
                "wal_level", "logical",
                "shared_buffers", "256MB",
                "max_wal_size", "4GB",
                "max_wal_senders", "4",
                "max_replication_slots", "4"));
    try (Connection connection = server.connections().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE users(user_id bigint PRIMARY KEY, email text NOT NULL, city text NOT NULL,"
              + " age integer NOT NULL, created_at timestamptz NOT NULL)");
    }
  }

  /** Makes the slot, then inserts all users; everything inserted is behind the slot's start. */
  void load(Users users) throws SQLException {
    try (Connection connection = server.connections().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_create_logical_replication_slot('" + SLOT + "', 'test_decoding')");
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO users VALUES(?, ?, ?, ?, to_timestamp(?))")) {
        for (int from = 0; from < users.size(); from += LOAD_USERS) {
          for (User user : users.initial(from, LOAD_USERS)) {
            insert.setLong(1, user.userId());
            insert.setString(2, user.email());
            insert.setString(3, user.city());
            insert.setInt(4, user.age());
            insert.setDouble(5, user.createdAt().toEpochMilli() / 1e3);
            insert.addBatch();
          }
          insert.executeBatch();
          connection.commit();
        }
      }
    }
  }

  /** Changes a second from the start of the stream on; nothing is confirmed, so it can be again. */
  double read(int changes) throws SQLException {
    Properties properties = new Properties();
    PGProperty.USER.set(properties, "postgres");
    PGProperty.REPLICATION.set(properties, "database");
    PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "9.4");
    PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
    try (Connection connection = DriverManager.getConnection(server.url(), properties)) {
      long begin = System.nanoTime();
      long ages = 0;
      try (PGReplicationStream stream =
          connection
              .unwrap(PGConnection.class)
              .getReplicationAPI()
              .replicationStream()
              .logical()
              .withSlotName(SLOT)
              .withSlotOption("include-xids", false)
              .start()) {
        for (int seen = 0; seen < changes; ) {
          ByteBuffer message =
              Objects.requireNonNull(stream.read(), "The replication stream has ended");
          String line =
              new String(
                  message.array(),
                  message.arrayOffset() + message.position(),
                  message.remaining(),
                  StandardCharsets.UTF_8);
          int at = line.indexOf(AGE);
          if (at >= 0) {
            seen++;
            ages += Integer.parseInt(line, at + AGE.length(), line.indexOf(' ', at), 10);
          }
        }
        double rate = changes * 1e9 / (System.nanoTime() - begin);
        if (ages <= 0) {
          throw new IllegalStateException("Users without an age were decoded");
        }
        return rate;
      }
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
