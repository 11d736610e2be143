package dev.tidemark.bench.engine;

import dev.tidemark.bench.rows.Batch;
import dev.tidemark.bench.rows.Dataset;
import dev.tidemark.bench.rows.Rival;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;

/**
 * SQLite with a write-ahead log that is synced at every commit. One connection that threads take
 * turns with: connections of their own would poll for the write lock and drop their caches.
 */
final class SqliteRival implements Rival {
  private static final int LOAD_ROWS = 50_000;

  private final Connection connection;
  private final PreparedStatement put;

  SqliteRival(Path directory) throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("sqlite.db"));
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode=WAL");
      statement.execute("PRAGMA synchronous=FULL");
      statement.execute("PRAGMA cache_size=-262144");
      statement.execute("CREATE TABLE kv(k BLOB PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID");
    }
    connection.setAutoCommit(false);
    put = connection.prepareStatement("INSERT OR REPLACE INTO kv(k, v) VALUES(?, ?)");
  }

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public void load(Dataset dataset) throws SQLException {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < dataset.size(); i++) {
      put(dataset.sorted(i), Dataset.value(random));
      if (i % LOAD_ROWS == LOAD_ROWS - 1) {
        connection.commit();
      }
    }
    connection.commit();
  }

  @Override
  public void commit(List<Batch> batches) throws SQLException {
    for (Batch batch : batches) {
      batch.writeTo(this::put);
    }
    connection.commit();
  }

  private void put(byte[] key, byte[] value) throws SQLException {
    put.setBytes(1, key);
    put.setBytes(2, value);
    put.executeUpdate();
  }

  @Override
  public void close() {
    try {
      put.close();
      connection.close();
    } catch (SQLException failure) {
      throw new IllegalStateException("SQLite does not close", failure);
    }
  }
}
