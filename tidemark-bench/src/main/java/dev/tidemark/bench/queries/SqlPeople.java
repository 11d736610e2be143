package dev.tidemark.bench.queries;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The people in an SQL database, with the same indexes and its own statistics. */
final class SqlPeople implements PeopleTable {
  private static final List<String> TABLES =
      List.of(
          """
          CREATE TABLE person(personId %s, email VARCHAR(60) NOT NULL, city VARCHAR(40) NOT NULL,
            age INT NOT NULL, score INT NOT NULL, team INT NOT NULL, level INT NOT NULL,
            status VARCHAR(10) NOT NULL, note VARCHAR(80) NOT NULL)\
          """,
          """
          CREATE TABLE purchase(purchaseId %s, personId BIGINT NOT NULL, dayNumber INT NOT NULL,
            cents BIGINT NOT NULL)\
          """);

  /** Made when everything is stored, which takes a fraction of the time and packs them better. */
  private static final List<String> INDEXES =
      List.of(
          "CREATE UNIQUE INDEX person_email ON person(email)",
          "CREATE INDEX person_city_age ON person(city, age)",
          "CREATE INDEX person_score ON person(score)",
          "CREATE INDEX person_team ON person(team)",
          "CREATE INDEX person_level ON person(level)",
          "CREATE INDEX purchase_day ON purchase(dayNumber)",
          "CREATE INDEX purchase_person ON purchase(personId)");

  private final String name;
  private final Connection connection;
  private final Map<Question, PreparedStatement> questions = new EnumMap<>(Question.class);

  private SqlPeople(String name, String url, String key, List<String> settings)
      throws SQLException {
    this.name = name;
    connection = DriverManager.getConnection(url);
    for (String setting : settings) {
      execute(setting);
    }
    for (String table : TABLES) {
      execute(table.formatted(key));
    }
  }

  static SqlPeople sqlite(Path directory) throws SQLException {
    return new SqlPeople(
        "sqlite",
        "jdbc:sqlite:" + directory.resolve("people.sqlite"),
        "INTEGER PRIMARY KEY",
        List.of(
            "PRAGMA journal_mode=WAL",
            "PRAGMA synchronous=OFF",
            "PRAGMA cache_size=-1048576",
            // LIKE with a fixed beginning may then use order, as ours does.
            "PRAGMA case_sensitive_like=ON"));
  }

  static SqlPeople h2(Path directory) throws SQLException {
    return new SqlPeople(
        "h2",
        "jdbc:h2:file:%s;CACHE_SIZE=1048576;WRITE_DELAY=0;OPTIMIZE_REUSE_RESULTS=FALSE"
            .formatted(directory.resolve("people")),
        "BIGINT PRIMARY KEY",
        List.of());
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void savePersons(List<Person> persons) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO person VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      connection.setAutoCommit(false);
      for (Person person : persons) {
        bind(
            insert,
            List.of(
                person.personId(),
                person.email(),
                person.city(),
                person.age(),
                person.score(),
                person.team(),
                person.level(),
                person.status(),
                person.note()));
        insert.addBatch();
      }
      insert.executeBatch();
      connection.commit();
    }
  }

  @Override
  public void savePurchases(List<Purchase> purchases) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO purchase VALUES(?, ?, ?, ?)")) {
      connection.setAutoCommit(false);
      for (Purchase purchase : purchases) {
        bind(
            insert,
            List.of(
                purchase.purchaseId(),
                purchase.personId(),
                purchase.dayNumber(),
                purchase.cents()));
        insert.addBatch();
      }
      insert.executeBatch();
      connection.commit();
    }
  }

  @Override
  public void analyze() throws SQLException {
    connection.setAutoCommit(true);
    for (String index : INDEXES) {
      execute(index);
    }
    execute("ANALYZE");
    for (Question question : Question.values()) {
      questions.put(question, connection.prepareStatement(question.sql()));
    }
  }

  @Override
  public long ask(Question question, List<Object> values) throws SQLException {
    PreparedStatement statement = questions.get(question);
    if (statement == null) {
      throw new IllegalStateException("Analyze before asking");
    }
    bind(statement, values);
    long sum = 0;
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        sum += sum(question, row);
      }
    }
    return sum;
  }

  private static void bind(PreparedStatement statement, List<Object> values) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      switch (values.get(i)) {
        case Long number -> statement.setLong(i + 1, number);
        case Integer number -> statement.setInt(i + 1, number);
        case Object text -> statement.setString(i + 1, text.toString());
      }
    }
  }

  private static long sum(Question question, ResultSet row) throws SQLException {
    return switch (question) {
      case COVERING -> PeopleTable.sum(row.getString(1), row.getInt(2), row.getLong(3));
      case GROUP_COUNT -> PeopleTable.sum(row.getString(1), row.getLong(2), 0);
      case COUNT_FILTER -> row.getLong(1);
      case JOIN -> PeopleTable.sum(person(row)) + PeopleTable.mix(row.getLong(10));
      case POINT, RANGE, COMPOUND, OR_UNION, AND_INTERSECTION, IN_100, SORT_LIMIT, FULL_SCAN ->
          PeopleTable.sum(person(row));
    };
  }

  private static Person person(ResultSet row) throws SQLException {
    return new Person(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getInt(4),
        row.getInt(5),
        row.getInt(6),
        row.getInt(7),
        row.getString(8),
        row.getString(9));
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException failure) {
      throw new IllegalStateException("The database cannot be closed", failure);
    }
  }
}
