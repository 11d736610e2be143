package dev.tidemark.bench.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.bench.records.Users;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowedTableTest {
  private static final int USERS = 2_000;

  @TempDir Path directory;

  @Test
  void measuresUntilTheTableHasEveryChange() throws Exception {
    Path file = directory.resolve("users.duckdb");
    double perSecond =
        FollowedTable.changesPerSecond(directory.resolve("store"), file, new Users(USERS));

    assertThat(perSecond).isPositive();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM \"user\"")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).isEqualTo(USERS);
    }
  }
}
