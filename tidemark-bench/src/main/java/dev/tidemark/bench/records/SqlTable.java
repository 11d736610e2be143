package dev.tidemark.bench.records;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The users in a table of SQLite or H2, with two indexes and a table of counts that triggers keep.
 * One connection writes and threads take turns with it; another one reads, each statement in a
 * transaction of its own. All statements are prepared once.
 */
final class SqlTable implements UserTable {
  private static final String COLUMNS = "SELECT id, email, city, age, created_at FROM users";
  private static final String FROM_AGE = " WHERE city = ? AND age >= ? ORDER BY city, age LIMIT ?";

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE users(id BIGINT_KEY, email VARCHAR(60) NOT NULL, city VARCHAR(60) NOT NULL,"
              + " age INTEGER NOT NULL, created_at BIGINT NOT NULL)",
          "CREATE UNIQUE INDEX user_email ON users(email)",
          "CREATE INDEX user_city_age ON users(city, age)",
          "CREATE TABLE city_count(city VARCHAR(60) PRIMARY KEY, n BIGINT NOT NULL)");

  private final Dialect dialect;
  private final Connection writing;
  private final Connection reading;
  private final PreparedStatement upsert;
  private final PreparedStatement sync;
  private final PreparedStatement load;
  private final PreparedStatement byEmail;
  private final PreparedStatement covered;
  private final PreparedStatement range;
  private final PreparedStatement count;

  /**
   * What differs between the two.
   *
   * @param key the type of the primary key
   * @param settings statements for every connection
   * @param triggers statements that keep the counts
   * @param upsert inserts a user or changes it
   * @param sync brings what is committed to disk, where a commit alone does not
   */
  private record Dialect(
      String name,
      String url,
      String key,
      List<String> settings,
      List<String> triggers,
      String upsert,
      String sync) {}

  /** SQLite with a write-ahead log that every commit syncs. */
  static SqlTable sqlite(Path directory) throws SQLException {
    return new SqlTable(
        new Dialect(
            "sqlite",
            "jdbc:sqlite:" + directory.resolve("users.sqlite"),
            "INTEGER PRIMARY KEY",
            List.of(
                "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA cache_size=-262144"),
            List.of(
                """
                CREATE TRIGGER user_new AFTER INSERT ON users BEGIN
                  INSERT INTO city_count VALUES(new.city, 1)
                    ON CONFLICT(city) DO UPDATE SET n = n + 1;
                END\
                """,
                """
                CREATE TRIGGER user_moved AFTER UPDATE OF city ON users
                WHEN old.city <> new.city BEGIN
                  UPDATE city_count SET n = n - 1 WHERE city = old.city;
                  INSERT INTO city_count VALUES(new.city, 1)
                    ON CONFLICT(city) DO UPDATE SET n = n + 1;
                END\
                """),
            """
            INSERT INTO users VALUES(?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET
              email = excluded.email, city = excluded.city, age = excluded.age,
              created_at = excluded.created_at\
            """,
            ""));
  }

  /** H2, which has no setting that syncs: a commit writes, and a statement after it syncs. */
  static SqlTable h2(Path directory) throws SQLException {
    String trigger =
        "CREATE TRIGGER %s AFTER %s ON users FOR EACH ROW CALL '%s'"
            .formatted("%s", "%s", CityCount.class.getName());
    return new SqlTable(
        new Dialect(
            "h2",
            "jdbc:h2:file:%s;CACHE_SIZE=262144".formatted(directory.resolve("users")),
            "BIGINT PRIMARY KEY",
            List.of(),
            List.of(
                trigger.formatted("user_new", "INSERT"), trigger.formatted("user_moved", "UPDATE")),
            "MERGE INTO users KEY(id) VALUES(?, ?, ?, ?, ?)",
            "CHECKPOINT SYNC"));
  }

  private SqlTable(Dialect dialect) throws SQLException {
    this.dialect = dialect;
    writing = connect(dialect);
    for (String table : TABLES) {
      execute(writing, table.replace("BIGINT_KEY", dialect.key()));
    }
    for (String trigger : dialect.triggers()) {
      execute(writing, trigger);
    }
    writing.setAutoCommit(false);
    reading = connect(dialect);
    upsert = writing.prepareStatement(dialect.upsert());
    sync = writing.prepareStatement(dialect.sync().isEmpty() ? "SELECT 1" : dialect.sync());
    load = reading.prepareStatement(COLUMNS + " WHERE id = ?");
    byEmail = reading.prepareStatement(COLUMNS + " WHERE email = ?");
    covered = reading.prepareStatement("SELECT city, age, id FROM users" + FROM_AGE);
    range = reading.prepareStatement(COLUMNS + FROM_AGE);
    count = reading.prepareStatement("SELECT n FROM city_count WHERE city = ?");
  }

  private static Connection connect(Dialect dialect) throws SQLException {
    Connection connection = DriverManager.getConnection(dialect.url());
    for (String setting : dialect.settings()) {
      execute(connection, setting);
    }
    return connection;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public String name() {
    return dialect.name();
  }

  @Override
  public void save(List<User> users) throws SQLException {
    for (User user : users) {
      upsert.setLong(1, user.userId());
      upsert.setString(2, user.email());
      upsert.setString(3, user.city());
      upsert.setInt(4, user.age());
      upsert.setLong(5, user.createdAt().toEpochMilli());
      upsert.executeUpdate();
    }
    writing.commit();
    if (!dialect.sync().isEmpty()) {
      sync.execute();
    }
  }

  @Override
  public User load(long userId) throws SQLException {
    load.setLong(1, userId);
    return one(load);
  }

  @Override
  public User byEmail(String email) throws SQLException {
    byEmail.setString(1, email);
    return one(byEmail);
  }

  private static User one(PreparedStatement query) throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      if (!row.next()) {
        throw new IllegalStateException("There is no such user");
      }
      return user(row);
    }
  }

  @Override
  public long covered(String city, int age, int rows) throws SQLException {
    bind(covered, city, age, rows);
    long sum = 0;
    try (ResultSet row = covered.executeQuery()) {
      while (row.next()) {
        sum += UserTable.sum(row.getString(1), row.getInt(2), row.getLong(3));
      }
    }
    return sum;
  }

  @Override
  public List<User> range(String city, int age, int rows) throws SQLException {
    bind(range, city, age, rows);
    List<User> users = new ArrayList<>(rows);
    try (ResultSet row = range.executeQuery()) {
      while (row.next()) {
        users.add(user(row));
      }
    }
    return users;
  }

  private static void bind(PreparedStatement query, String city, int age, int rows)
      throws SQLException {
    query.setString(1, city);
    query.setInt(2, age);
    query.setInt(3, rows);
  }

  private static User user(ResultSet row) throws SQLException {
    return new User(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getInt(4),
        Instant.ofEpochMilli(row.getLong(5)));
  }

  @Override
  public long count(String city) throws SQLException {
    count.setString(1, city);
    try (ResultSet row = count.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  @Override
  public void close() {
    try {
      reading.close();
      writing.close();
    } catch (SQLException failure) {
      throw new IllegalStateException("The database cannot be closed", failure);
    }
  }
}
