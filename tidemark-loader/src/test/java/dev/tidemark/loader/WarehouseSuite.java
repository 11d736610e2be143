package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.junit.SeedSource;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** What every warehouse that speaks SQL keeps, on the real thing. */
@Timeout(120)
abstract class WarehouseSuite {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Table PAIRS = KeyValueMapping.TABLE;

  /** A warehouse without tables, open for the test. */
  abstract Warehouse warehouse();

  /** The warehouse of another process, as far as it can be told; the test closes it. */
  abstract Warehouse another();

  /** A connection of its own to the same data, with automatic commits. */
  abstract Connection connection() throws SQLException;

  private Batch batch(UUID job, Optional<String> position, Row... rows) {
    return new Batch(job, "test", PAIRS, List.of(rows), position, Duration.ofSeconds(30));
  }

  private Batch batch(Row... rows) {
    return batch(UUID.randomUUID(), Optional.empty(), rows);
  }

  private static Row row(String id, int second, String key, String value) {
    return Row.of(message(id, second), key, value);
  }

  private static Message message(String id, int second) {
    return Message.of(id, NOON.plusSeconds(second), Map.of(), new byte[0]);
  }

  List<List<Object>> query(String sql) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      while (found.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          row.add(found.getObject(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<List<Object>> pairs() throws SQLException {
    return query("SELECT \"key\", \"value\" FROM pairs ORDER BY 1");
  }

  @Test
  void missingTableIsRefusedOrCreated() throws SQLException {
    assertThatThrownBy(() -> warehouse().prepare(PAIRS, Table.Policy.CHECK))
        .isInstanceOf(TableMismatchException.class)
        .hasMessageContaining("'pairs'")
        .hasMessageContaining("does not exist")
        .hasMessageContaining("CREATE TABLE");

    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    warehouse().prepare(PAIRS, Table.Policy.CHECK);
    assertThat(pairs()).isEmpty();
  }

  @Test
  void tableThatDoesNotFitIsRefusedWithEveryDifference() throws SQLException {
    execute("CREATE TABLE pairs (\"key\" BIGINT PRIMARY KEY, other VARCHAR NOT NULL)");

    assertThatThrownBy(() -> warehouse().prepare(PAIRS, Table.Policy.CREATE))
        .isInstanceOfSatisfying(
            TableMismatchException.class,
            mismatch ->
                assertThat(mismatch.differences())
                    .hasSize(5)
                    .anyMatch(line -> line.contains("column 'key' is BIGINT"))
                    .anyMatch(line -> line.contains("column 'value'") && line.contains("missing"))
                    .anyMatch(line -> line.contains("'_published_at'"))
                    .anyMatch(line -> line.contains("'_message_id'"))
                    .anyMatch(line -> line.contains("column 'other' needs a value")));
  }

  @Test
  void tableWithAnotherKeyIsRefused() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    Table both =
        Table.of(
            "pairs",
            List.of(
                new Table.Column("key", ColumnType.TEXT, Table.Role.KEY),
                new Table.Column("value", ColumnType.TEXT, Table.Role.KEY)));

    assertThatThrownBy(() -> warehouse().prepare(both, Table.Policy.CHECK))
        .isInstanceOf(TableMismatchException.class)
        .hasMessageContaining("key [key, value]");
  }

  @Test
  void missingColumnsAreAddedOnRequest() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    warehouse().merge(batch(row("m1", 0, "a", "1")));
    Table wider =
        Table.of(
            "pairs",
            List.of(
                new Table.Column("key", ColumnType.TEXT, Table.Role.KEY),
                new Table.Column("value", ColumnType.TEXT, Table.Role.REQUIRED),
                new Table.Column("note", ColumnType.TEXT, Table.Role.OPTIONAL)));
    assertThatThrownBy(() -> warehouse().prepare(wider, Table.Policy.CREATE))
        .hasMessageContaining("column 'note'");

    warehouse().prepare(wider, Table.Policy.EVOLVE);
    MergeOutcome outcome =
        warehouse()
            .merge(
                new Batch(
                    UUID.randomUUID(),
                    "test",
                    wider,
                    List.of(Row.of(message("m2", 1), "b", "2", "noted")),
                    Optional.empty(),
                    Duration.ofSeconds(30)));

    assertThat(outcome).isInstanceOf(MergeOutcome.Merged.class);
    assertThat(query("SELECT note FROM pairs ORDER BY \"key\""))
        .containsExactly(Arrays.asList((Object) null), List.of("noted"));
  }

  @Test
  void laterPublicationWinsWhateverTheOrder() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    warehouse().merge(batch(row("m5", 5, "k", "late"), row("m1", 1, "other", "1")));
    warehouse().merge(batch(row("m4", 4, "k", "early")));
    assertThat(pairs()).containsExactly(List.of("k", "late"), List.of("other", "1"));

    warehouse().merge(batch(row("m5a", 5, "k", "tie, greater")));
    warehouse().merge(batch(row("m50", 5, "k", "tie, less")));
    assertThat(pairs()).containsExactly(List.of("k", "tie, greater"), List.of("other", "1"));

    warehouse().merge(batch(row("m6", 6, "k", "latest")));
    assertThat(pairs()).containsExactly(List.of("k", "latest"), List.of("other", "1"));
  }

  @Test
  void tiesAreBrokenByBytesAsInTheLoader() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    Message upper = message("B", 0);
    Message lower = message("a", 0);
    assertThat(lower).isGreaterThan(upper);

    warehouse().merge(batch(Row.of(lower, "k", "lower")));
    warehouse().merge(batch(Row.of(upper, "k", "upper")));

    assertThat(pairs()).containsExactly(List.of("k", "lower"));
  }

  @Test
  void rowsAreDeletedByLaterDeletionsOnly() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    warehouse()
        .merge(batch(row("m1", 1, "a", "1"), row("m2", 2, "b", "2"), row("m3", 3, "c", "3")));

    warehouse()
        .merge(
            batch(
                Row.deletion(message("m4", 4), "a", null),
                Row.deletion(message("m0", 0), "b", null),
                Row.deletion(message("m5", 5), "never there", null),
                row("m6", 6, "c", "33")));

    assertThat(pairs()).containsExactly(List.of("b", "2"), List.of("c", "33"));
  }

  @Test
  void jobIsMergedOnceAndCanBeAskedFor() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    UUID job = UUID.randomUUID();
    Batch batch = batch(job, Optional.of("place 1"), row("m1", 1, "a", "1"));

    assertThat(warehouse().merge(batch)).isEqualTo(new MergeOutcome.Merged(1));
    assertThat(warehouse().settle(job)).isInstanceOf(MergeOutcome.Merged.class);
    assertThat(warehouse().merge(batch)).isEqualTo(new MergeOutcome.Merged(0));
    assertThat(warehouse().position("test")).contains("place 1");
    assertThat(warehouse().position("another")).isEmpty();
  }

  @Test
  void jobThatIsAbsentNeverComesLater() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    UUID job = UUID.randomUUID();

    assertThat(warehouse().settle(job)).isEqualTo(new MergeOutcome.Absent());
    assertThat(warehouse().merge(batch(job, Optional.of("p"), row("m1", 1, "a", "1"))))
        .isEqualTo(new MergeOutcome.Absent());

    assertThat(pairs()).isEmpty();
    assertThat(warehouse().position("test")).isEmpty();
  }

  @Test
  void positionThatAnotherProcessHasMovedIsNotMovedBack() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    try (Warehouse other = another()) {
      assertThat(warehouse().position("test")).isEmpty();
      assertThat(other.position("test")).isEmpty();
      warehouse().merge(batch(UUID.randomUUID(), Optional.of("1"), row("m1", 1, "a", "1")));

      assertThat(other.merge(batch(UUID.randomUUID(), Optional.of("1"), row("m1", 1, "a", "1"))))
          .isInstanceOf(MergeOutcome.Impossible.class);
      assertThat(other.position("test")).contains("1");
      assertThat(
              other.merge(
                  batch(
                      UUID.randomUUID(),
                      Optional.of("2"),
                      Row.deletion(message("m2", 2), "a", null))))
          .isEqualTo(new MergeOutcome.Merged(1));
      UUID late = UUID.randomUUID();
      assertThat(warehouse().merge(batch(late, Optional.of("1b"), row("m1", 1, "a", "1"))))
          .isInstanceOfSatisfying(
              MergeOutcome.Impossible.class,
              impossible -> assertThat(impossible.reason()).contains("Another process", "'test'"));

      assertThat(pairs()).isEmpty();
      assertThat(warehouse().settle(late)).isEqualTo(new MergeOutcome.Absent());
      assertThat(warehouse().position("test")).contains("2");
      assertThat(
              warehouse().merge(batch(UUID.randomUUID(), Optional.of("3"), row("m3", 3, "a", "3"))))
          .isEqualTo(new MergeOutcome.Merged(1));
      assertThat(warehouse().position("test")).contains("3");
    }
  }

  @Test
  void refusedBatchStoresNeitherRowsNorPosition() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    UUID job = UUID.randomUUID();

    MergeOutcome outcome =
        warehouse()
            .merge(
                batch(
                    job,
                    Optional.of("place"),
                    row("m1", 1, "a", "1"),
                    Row.of(message("m2", 2), "b", null)));

    assertThat(outcome).isInstanceOf(MergeOutcome.Refused.class);
    assertThat(pairs()).isEmpty();
    assertThat(warehouse().position("test")).isEmpty();
    assertThat(warehouse().settle(job)).isEqualTo(new MergeOutcome.Absent());
    assertThat(warehouse().merge(batch(row("m1", 1, "a", "1"))))
        .isInstanceOf(MergeOutcome.Merged.class);
  }

  @Test
  void expectedRowsAreStoredByTheirMergeOnly() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    Batch never = batch(row("m1", 1, "never", "1"));
    Batch late = batch(row("m2", 2, "late", "2"));
    Batch next = batch(row("m3", 3, "next", "3"), row("m4", 4, "more", "4"));

    warehouse().expect(PAIRS, never.rows());
    warehouse().expect(PAIRS, late.rows());
    assertThat(warehouse().merge(batch(row("m5", 5, "other", "5"))))
        .isInstanceOf(MergeOutcome.Merged.class);
    warehouse().expect(PAIRS, next.rows());
    assertThat(pairs()).containsExactly(List.of("other", "5"));

    assertThat(warehouse().merge(next)).isEqualTo(new MergeOutcome.Merged(2));
    assertThat(warehouse().merge(late)).isEqualTo(new MergeOutcome.Merged(1));
    assertThat(pairs())
        .containsExactly(
            List.of("late", "2"),
            List.of("more", "4"),
            List.of("next", "3"),
            List.of("other", "5"));
  }

  @Test
  void expectedRowsOfAJobThatIsKnownAreNotMergedByTheNextOne() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    UUID absent = UUID.randomUUID();
    assertThat(warehouse().settle(absent)).isEqualTo(new MergeOutcome.Absent());
    Batch fenced = batch(absent, Optional.empty(), row("m1", 1, "a", "1"));
    warehouse().expect(PAIRS, fenced.rows());
    assertThat(warehouse().merge(fenced)).isEqualTo(new MergeOutcome.Absent());

    UUID job = UUID.randomUUID();
    warehouse().merge(batch(job, Optional.empty(), row("m2", 2, "b", "2")));
    Batch again = batch(job, Optional.empty(), row("m3", 3, "c", "3"));
    warehouse().expect(PAIRS, again.rows());
    assertThat(warehouse().merge(again)).isEqualTo(new MergeOutcome.Merged(0));

    warehouse().merge(batch(row("m4", 4, "d", "4")));
    assertThat(pairs()).containsExactly(List.of("b", "2"), List.of("d", "4"));
  }

  @Test
  void expectedRowsThatAreRefusedAreRefusedByTheirMerge() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    Batch missing = batch(row("m1", 1, "a", "1"), Row.of(message("m2", 2), "b", null));
    Batch typed = batch(row("m3", 3, "c", "3"), Row.of(message("m4", 4), "d", 7L));

    for (Batch refused : List.of(missing, typed)) {
      warehouse().expect(PAIRS, refused.rows());
      assertThat(warehouse().merge(refused)).isInstanceOf(MergeOutcome.Refused.class);
    }

    assertThat(pairs()).isEmpty();
    Batch half = batch(row("m1", 1, "a", "1"));
    warehouse().expect(PAIRS, half.rows());
    assertThat(warehouse().merge(half)).isEqualTo(new MergeOutcome.Merged(1));
    assertThat(pairs()).containsExactly(List.of("a", "1"));
  }

  @Test
  void mergeOfExpectedRowsSeesWhatWasStoredSince() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    Batch expected = batch(row("m1", 1, "a", "early"), row("m3", 3, "b", "late"));
    warehouse().expect(PAIRS, expected.rows());
    warehouse().merge(batch(row("m2", 2, "a", "late"), row("m2", 2, "b", "early")));

    assertThat(warehouse().merge(expected)).isEqualTo(new MergeOutcome.Merged(1));

    assertThat(pairs()).containsExactly(List.of("a", "late"), List.of("b", "late"));
  }

  @Test
  void rowOfTheWrongTypeIsRefused() {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);

    assertThat(warehouse().merge(batch(Row.of(message("m", 0), "k", 7L))))
        .isInstanceOf(MergeOutcome.Refused.class);
  }

  @Test
  void tableThatWasDroppedIsALastingFailure() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    execute("DROP TABLE pairs");

    assertThat(warehouse().merge(batch(row("m", 0, "k", "v"))))
        .isInstanceOfSatisfying(
            MergeOutcome.Impossible.class,
            impossible -> assertThat(impossible.reason()).contains("pairs"));
  }

  @Test
  void everyTypeComesBackAsItWentIn() throws SQLException {
    Table all =
        Table.of(
            "everything",
            Arrays.stream(ColumnType.values())
                .map(
                    type ->
                        new Table.Column(
                            "c_" + type.name().toLowerCase(java.util.Locale.ROOT),
                            type,
                            type == ColumnType.TEXT ? Table.Role.KEY : Table.Role.OPTIONAL))
                .toList());
    warehouse().prepare(all, Table.Policy.CREATE);
    warehouse().prepare(all, Table.Policy.CHECK);
    String text = "tab\t line\n return\r back\\slash \\N ' \" 漢字 😀";
    Row full =
        Row.of(
            message("m1", 1),
            text,
            Long.MIN_VALUE,
            -1.5e300,
            new BigDecimal("-12345678901234567890123456789.123456789"),
            true,
            Instant.parse("1999-12-31T15:00:00.123456Z"),
            LocalDate.of(2026, 2, 28),
            new byte[] {0, 1, -1, 92});
    Row empty = Row.of(message("m2", 2), "", null, null, null, null, null, null, null);

    MergeOutcome outcome =
        warehouse()
            .merge(
                new Batch(
                    UUID.randomUUID(),
                    "test",
                    all,
                    List.of(full, empty),
                    Optional.empty(),
                    Duration.ofSeconds(30)));

    assertThat(outcome).isEqualTo(new MergeOutcome.Merged(2));
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery("SELECT * FROM everything ORDER BY length(c_text)")) {
      assertThat(found.next()).isTrue();
      assertThat(found.getString(1)).isEmpty();
      assertThat(found.getObject(2)).isNull();
      assertThat(found.getObject(8)).isNull();
      assertThat(found.next()).isTrue();
      assertThat(found.getString(1)).isEqualTo(text);
      assertThat(found.getLong(2)).isEqualTo(Long.MIN_VALUE);
      assertThat(found.getDouble(3)).isEqualTo(-1.5e300);
      assertThat(found.getBigDecimal(4))
          .isEqualByComparingTo("-12345678901234567890123456789.123456789");
      assertThat(found.getBoolean(5)).isTrue();
      assertThat(found.getObject(6, java.time.OffsetDateTime.class).toInstant())
          .isEqualTo(Instant.parse("1999-12-31T15:00:00.123456Z"));
      assertThat(found.getObject(7, LocalDate.class)).isEqualTo(LocalDate.of(2026, 2, 28));
      assertThat(bytes(found)).isEqualTo(new byte[] {0, 1, -1, 92});
    }
  }

  private static byte[] bytes(ResultSet found) throws SQLException {
    return found.getObject(8) instanceof java.sql.Blob blob
        ? blob.getBytes(1, (int) blob.length())
        : found.getBytes(8);
  }

  @Test
  void deadLettersAreATableInWhichAMessageIsOnce() throws SQLException {
    DeadLetters letters = (DeadLetters) warehouse();
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    Message message =
        Message.of("m\0", NOON, Map.of("power", "abc\0\"", "point_id", "p"), new byte[] {1});
    DeadLetter letter =
        new DeadLetter(UUID.randomUUID(), "test", message, "power is 'abc\0'", NOON);

    letters.write(List.of(letter));
    letters.write(List.of(letter, letter));

    assertThat(query("SELECT source, reason, deliveries FROM tidemark_dead_letters"))
        .containsExactly(List.of("test", "power is 'abc\\0'", 1L));
  }

  @Test
  void loaderFillsTheTableAndFindsTheRowThatIsRefused() throws SQLException {
    createTableThatRefusesPoison();
    ManualTime time = ManualTime.selfAdvancing();
    QueueModel queue = new QueueModel(time, Duration.ofHours(1));
    for (int i = 0; i < 5_000; i++) {
      boolean poison = i == 4_777;
      queue.publish(
          "m" + i,
          poison ? NOON.plusSeconds(1) : NOON,
          "key",
          "k" + i % 1_000,
          "value",
          poison ? "poison" : "v" + i);
    }
    try (Loader loader = loader(queue, time)) {
      LoadResult result = loader.drain();

      assertThat(result.merged()).isEqualTo(4_999);
      assertThat(result.dead()).isEqualTo(1);
    }
    assertThat(query("SELECT count(*) FROM pairs")).containsExactly(List.of(1_000L));
    assertThat(query("SELECT \"value\" FROM pairs WHERE \"key\" = 'k777'")).hasSize(1);
    assertThat(query("SELECT message_id FROM tidemark_dead_letters"))
        .containsExactly(List.of("m4777"));
    assertThat(queue.mistakes()).isEmpty();
  }

  private void createTableThatRefusesPoison() throws SQLException {
    warehouse().prepare(PAIRS, Table.Policy.CREATE);
    execute("DROP TABLE pairs");
    execute(
        "CREATE TABLE pairs (\"key\" VARCHAR PRIMARY KEY, \"value\" VARCHAR NOT NULL"
            + " CHECK (\"value\" <> 'poison'), _published_at TIMESTAMPTZ NOT NULL, _message_id"
            + " VARCHAR NOT NULL)");
  }

  /** A warehouse for a second loader, with the same data. */
  abstract Warehouse secondWarehouse();

  @ParameterizedTest
  @SeedSource(count = 10)
  void twoLoadersLeaveTheTableOfTheModelWhateverFails(long seed) throws Exception {
    createTableThatRefusesPoison();
    TwoLoadersTrial trial = new TwoLoadersTrial(seed, warehouse(), secondWarehouse());

    trial.run();

    Map<String, String> table = new HashMap<>();
    pairs().forEach(row -> table.put(row.get(0).toString(), row.get(1).toString()));
    assertThat(table).as("table of seed " + seed).isEqualTo(trial.model().table());
    // Without a refused message nobody has made the table of dead letters.
    boolean any =
        !query(
                "SELECT 1 FROM information_schema.tables WHERE table_name ="
                    + " 'tidemark_dead_letters'")
            .isEmpty();
    trial
        .model()
        .checkLetters(
            any
                ? query("SELECT message_id FROM tidemark_dead_letters").stream()
                    .map(row -> row.getFirst().toString())
                    .toList()
                : List.of());
  }

  Loader loader(QueueModel queue, ManualTime time) {
    return Loader.open(
        queue,
        warehouse(),
        new KeyValueMapping(),
        (DeadLetters) warehouse(),
        o -> o.withTime(time));
  }
}
