package dev.tidemark.loader.gcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.loader.Batch;
import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.DeadLetter;
import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.TableMismatchException;
import dev.tidemark.loader.gcp.FakeBigQuery.Fault;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The real client of BigQuery against a server that executes our statements. */
@Timeout(120)
class BigQueryWarehouseTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Table TABLE = InstantData.mapping().table();
  private static final String PLACE = FakeBigQuery.PROJECT + "." + FakeBigQuery.DATASET;

  private FakeBigQuery bigQuery;
  private BigQueryWarehouse warehouse;

  @BeforeEach
  void open() throws IOException, SQLException {
    bigQuery = new FakeBigQuery();
    warehouse = open(o -> o);
  }

  private BigQueryWarehouse open(
      java.util.function.UnaryOperator<BigQueryWarehouse.Options> options) {
    return BigQueryWarehouse.open(
        FakeBigQuery.PROJECT,
        FakeBigQuery.DATASET,
        o -> options.apply(o.withEndpoint(bigQuery.url())));
  }

  @AfterEach
  void close() throws SQLException {
    warehouse.close();
    bigQuery.close();
  }

  private static Message message(String id, int second) {
    return Message.of(id, NOON.plusSeconds(second), Map.of(), new byte[0]);
  }

  private static Row row(String id, int second, String point, long power) {
    return Row.of(message(id, second), point, NOON, power);
  }

  private static Batch batch(UUID job, Row... rows) {
    return batch(job, TABLE, Duration.ofSeconds(60), rows);
  }

  private static Batch batch(UUID job, Table table, Duration limit, Row... rows) {
    return new Batch(job, "test", table, List.of(rows), Optional.empty(), limit);
  }

  private static Batch batch(Row... rows) {
    return batch(UUID.randomUUID(), rows);
  }

  private void create() {
    warehouse.prepare(TABLE, Table.Policy.CREATE);
  }

  private List<List<Object>> points() throws SQLException {
    return bigQuery.query("SELECT point_id, power FROM instant_data ORDER BY 1, 2");
  }

  @Test
  void missingTableIsRefusedWithItsStatementsOrCreated() throws SQLException {
    assertThatThrownBy(() -> warehouse.prepare(TABLE, Table.Policy.CHECK))
        .isInstanceOf(TableMismatchException.class)
        .hasMessageContaining("it does not exist in " + PLACE)
        .hasMessageContaining("procedure 'insert_instant_data' does not exist")
        .hasMessageContaining("CREATE OR REPLACE PROCEDURE");

    create();
    warehouse.prepare(TABLE, Table.Policy.CHECK);
    assertThat(points()).isEmpty();
  }

  @Test
  void tableThatDoesNotFitIsRefusedWithEveryDifference() {
    bigQuery.administer(
        """
        CREATE TABLE IF NOT EXISTS `%1$s.instant_data` (
          `point_id` INT64 NOT NULL,
          `power` INT64 NOT NULL,
          `other` STRING NOT NULL
        );

        CREATE OR REPLACE PROCEDURE `%1$s.insert_instant_data`(
          batch ARRAY<STRUCT<
            `point_id` STRING>>)
        BEGIN
        END;
        """
            .formatted(PLACE));

    assertThatThrownBy(() -> warehouse.prepare(TABLE, Table.Policy.CREATE))
        .isInstanceOfSatisfying(
            TableMismatchException.class,
            mismatch ->
                assertThat(mismatch.differences())
                    .hasSize(6)
                    .anyMatch(line -> line.contains("column 'point_id' is INT64"))
                    .anyMatch(line -> line.contains("'measured_at' TIMESTAMP is missing"))
                    .anyMatch(line -> line.contains("'_published_at'"))
                    .anyMatch(line -> line.contains("'_message_id'"))
                    .anyMatch(line -> line.contains("column 'other' needs a value"))
                    .anyMatch(line -> line.contains("procedure 'insert_instant_data' takes")));
  }

  @Test
  void missingColumnsAreAddedOnRequest() throws SQLException {
    create();
    Table wider =
        Table.of(
            "instant_data",
            List.of(
                new Table.Column("point_id", ColumnType.TEXT, Table.Role.KEY),
                new Table.Column("measured_at", ColumnType.TIMESTAMP, Table.Role.KEY),
                new Table.Column("power", ColumnType.INTEGER, Table.Role.REQUIRED),
                new Table.Column("note", ColumnType.TEXT, Table.Role.OPTIONAL)));

    warehouse.prepare(wider, Table.Policy.EVOLVE);
    MergeOutcome outcome =
        warehouse.merge(
            batch(
                UUID.randomUUID(),
                wider,
                Duration.ofSeconds(60),
                Row.of(message("m", 0), "p", NOON, 1L, "noted"),
                Row.of(message("m", 0), "q", NOON, 1L, null)));

    assertThat(outcome).isEqualTo(new MergeOutcome.Merged(2));
    assertThat(bigQuery.query("SELECT note FROM instant_data ORDER BY 1"))
        .containsExactly(List.of("noted"), List.of("null"));
  }

  @Test
  void missingDatasetIsNamed() {
    BigQueryWarehouse other =
        BigQueryWarehouse.open(
            FakeBigQuery.PROJECT, "elsewhere", o -> o.withEndpoint(bigQuery.url()));

    assertThatThrownBy(() -> other.prepare(TABLE, Table.Policy.CHECK))
        .hasMessageContaining("no dataset " + FakeBigQuery.PROJECT + ".elsewhere")
        .hasMessageContaining("bq --location");
  }

  @Test
  void missingPermissionIsNamedWithTheRole() {
    bigQuery.failOthers(new Fault.Refuse(403, "accessDenied"));

    assertThatThrownBy(() -> warehouse.prepare(TABLE, Table.Policy.CHECK))
        .hasMessageContaining("roles/bigquery.dataEditor");
  }

  @Test
  void questionsThatFailForAWhileAreRepeated() {
    create();
    bigQuery.failOthers(
        new Fault.Refuse(503, "backendError"),
        new Fault.DisconnectBefore(),
        new Fault.Refuse(429, "rateLimitExceeded"));

    warehouse.prepare(TABLE, Table.Policy.CHECK);

    Fault refused = new Fault.Refuse(503, "backendError");
    bigQuery.failOthers(refused, refused, refused, refused);
    assertThatThrownBy(() -> warehouse.prepare(TABLE, Table.Policy.CHECK))
        .hasMessageContaining("'instant_data' cannot be prepared")
        .hasMessageContaining("503");
  }

  @Test
  void laterPublicationWinsWhateverTheOrder() throws SQLException {
    create();
    warehouse.merge(batch(row("m5", 5, "k", 50), row("m1", 1, "other", 1)));
    warehouse.merge(batch(row("m4", 4, "k", 40)));
    assertThat(points()).containsExactly(List.of("k", "50"), List.of("other", "1"));

    warehouse.merge(batch(row("m5a", 5, "k", 51)));
    warehouse.merge(batch(row("m50", 5, "k", 52)));
    assertThat(points()).containsExactly(List.of("k", "51"), List.of("other", "1"));
    assertThat(bigQuery.sawCompressedBody()).isTrue();
  }

  @Test
  void procedureItselfRemovesDuplicatesOfABatch() throws SQLException {
    create();

    MergeOutcome outcome =
        warehouse.merge(batch(row("m1", 1, "k", 1), row("m3", 3, "k", 3), row("m2", 2, "k", 2)));

    assertThat(outcome).isEqualTo(new MergeOutcome.Merged(1));
    assertThat(points()).containsExactly(List.of("k", "3"));
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
                            "c_" + type.name().toLowerCase(Locale.ROOT),
                            type,
                            type == ColumnType.TEXT ? Table.Role.KEY : Table.Role.OPTIONAL))
                .toList());
    warehouse.prepare(all, Table.Policy.CREATE);
    String text = "tab\t line\n ' \" \\ <&> 漢字 😀";
    MergeOutcome outcome =
        warehouse.merge(
            batch(
                UUID.randomUUID(),
                all,
                Duration.ofSeconds(60),
                Row.of(message("m2", 2), "", null, null, null, null, null, null, null),
                Row.of(
                    message("m1", 1),
                    text,
                    Long.MIN_VALUE,
                    -1.5e300,
                    new BigDecimal("-12345678901234567890123456789.123456789"),
                    true,
                    Instant.parse("1999-12-31T15:00:00.123456Z"),
                    LocalDate.of(2026, 2, 28),
                    new byte[] {0, 1, -1, 92})));

    assertThat(outcome).isEqualTo(new MergeOutcome.Merged(2));
    assertThat(
            bigQuery.query("SELECT * EXCLUDE (c_bytes), hex(c_bytes) FROM everything ORDER BY 1"))
        .containsExactly(
            List.of(
                "",
                "null",
                "null",
                "null",
                "null",
                "null",
                "null",
                "2026-01-01T12:00:02Z",
                "m2",
                "null"),
            List.of(
                text,
                "-9223372036854775808",
                "-1.5E300",
                "-12345678901234567890123456789.123456789",
                "true",
                "1999-12-31T15:00:00.123456Z",
                "2026-02-28",
                "2026-01-01T12:00:01Z",
                "m1",
                "0001FF5C"));
  }

  @Test
  void jobsHaveNoMoreRowsAndBytesThanAllowed() {
    create();
    Row[] many =
        IntStream.range(0, 5_000).mapToObj(i -> row("m" + i, 0, "p" + i, i)).toArray(Row[]::new);
    Row[] wide =
        IntStream.range(0, 4_096)
            .mapToObj(i -> row("m" + i, 0, "漢\"".repeat(250) + i, i))
            .toArray(Row[]::new);

    assertThat(warehouse.merge(batch(many))).isEqualTo(new MergeOutcome.Merged(5_000));
    assertThat(bigQuery.calls()).extracting(call -> call.rows().size()).hasSize(2);
    assertThat(warehouse.merge(batch(wide))).isEqualTo(new MergeOutcome.Merged(4_096));

    assertThat(bigQuery.calls())
        .allSatisfy(
            call -> {
              assertThat(call.rows().size()).isLessThanOrEqualTo(BigQueryWarehouse.JOB_ROWS);
              assertThat(call.parameterBytes()).isLessThanOrEqualTo(BigQueryWarehouse.JOB_BYTES);
            });
  }

  @Test
  void estimateOfBytesIsNeverLessThanTheParameter() {
    create();
    for (String point : List.of("p", "漢字", "\"\\\n<>&'", "😀", "x".repeat(1_000))) {
      Row row = row("m", 0, point, -5);
      warehouse.merge(batch(row));
      int sent = bigQuery.calls().getLast().parameterBytes();
      assertThat(dev.tidemark.loader.gcp.internal.bigquery.RowParameter.of(TABLE, row).bytes())
          .as(point)
          .isGreaterThanOrEqualTo(sent - 2);
    }
  }

  @Test
  void answerThatIsLostIsSettledByTheJobsId() throws SQLException {
    create();
    for (Fault fault : List.of(new Fault.LoseAnswer(503), new Fault.Disconnect())) {
      UUID job = UUID.randomUUID();
      int before = bigQuery.calls().size();
      bigQuery.failInserts(fault);

      assertThat(warehouse.merge(batch(job, row("m1", 1, "k", 1))))
          .isInstanceOf(MergeOutcome.Unknown.class);
      assertThat(warehouse.settle(job)).isInstanceOf(MergeOutcome.Merged.class);
      assertThat(bigQuery.calls()).hasSize(before + 1);
    }
    assertThat(points()).containsExactly(List.of("k", "1"));
  }

  @Test
  void repeatedJobIsNotRunTwiceEvenIfTheServersClockIsAhead() {
    create();
    bigQuery.clockAhead(5_000);
    UUID job = UUID.randomUUID();
    bigQuery.failInserts(new Fault.LoseAnswer(500));

    assertThat(warehouse.merge(batch(job, row("m1", 1, "k", 1))))
        .isInstanceOf(MergeOutcome.Unknown.class);
    assertThat(warehouse.merge(batch(job, row("m1", 1, "k", 1))))
        .isEqualTo(new MergeOutcome.Merged(1));
    assertThat(bigQuery.calls()).hasSize(1);
  }

  @Test
  void requestThatNeverArrivedStaysUnknownUntilItIsRepeated() {
    create();
    UUID job = UUID.randomUUID();
    bigQuery.failInserts(new Fault.DisconnectBefore());

    assertThat(warehouse.merge(batch(job, row("m1", 1, "k", 1))))
        .isInstanceOf(MergeOutcome.Unknown.class);
    assertThat(warehouse.settle(job)).isInstanceOf(MergeOutcome.Unknown.class);
    assertThat(warehouse.merge(batch(job, row("m1", 1, "k", 1))))
        .isEqualTo(new MergeOutcome.Merged(1));
  }

  @Test
  void failedJobIsAbsentAndItsIdIsUsedUp() {
    create();
    UUID job = UUID.randomUUID();
    bigQuery.failInserts(new Fault.JobFails("backendError", "Try again"));

    assertThat(warehouse.merge(batch(job, row("m1", 1, "k", 1))))
        .isInstanceOf(MergeOutcome.Unavailable.class);
    assertThat(warehouse.settle(job)).isEqualTo(new MergeOutcome.Absent());
    assertThat(warehouse.merge(batch(job, row("m1", 1, "k", 1))))
        .isInstanceOf(MergeOutcome.Unavailable.class);
    assertThat(warehouse.merge(batch(row("m1", 1, "k", 1))))
        .isInstanceOf(MergeOutcome.Merged.class);
  }

  @Test
  void batchOfSeveralJobsIsSettledByItsLast() {
    warehouse = open(o -> o.withJobMax(2, 100_000));
    create();
    UUID job = UUID.randomUUID();
    Row[] rows = {row("a", 0, "a", 1), row("b", 0, "b", 1), row("c", 0, "c", 1)};
    bigQuery.failInserts(new Fault.None(), new Fault.LoseAnswer(503));

    assertThat(warehouse.merge(batch(job, rows))).isInstanceOf(MergeOutcome.Unknown.class);
    assertThat(warehouse.settle(job)).isInstanceOf(MergeOutcome.Merged.class);
    assertThat(warehouse.merge(batch(job, rows))).isEqualTo(new MergeOutcome.Merged(3));
    assertThat(bigQuery.calls()).hasSize(2);
  }

  @Test
  void slowJobIsWaitedForAndOneThatIsTooSlowIsUnknown() {
    create();
    bigQuery.failInserts(new Fault.Slow(3));
    assertThat(warehouse.merge(batch(row("m1", 1, "k", 1))))
        .isInstanceOf(MergeOutcome.Merged.class);

    UUID job = UUID.randomUUID();
    bigQuery.failInserts(new Fault.Slow(1_000));
    assertThat(warehouse.merge(batch(job, TABLE, Duration.ofMillis(300), row("m1", 1, "k", 1))))
        .isInstanceOf(MergeOutcome.Unknown.class);
    assertThat(warehouse.settle(job)).isInstanceOf(MergeOutcome.Unknown.class);
  }

  @Test
  void pollsThatFailAreRepeated() {
    create();
    bigQuery.failInserts(new Fault.Slow(1));
    bigQuery.failOthers(new Fault.Refuse(503, "backendError"), new Fault.DisconnectBefore());

    assertThat(warehouse.merge(batch(row("m1", 1, "k", 1))))
        .isInstanceOf(MergeOutcome.Merged.class);
  }

  @Test
  void rateLimitsPass() {
    create();
    for (Fault fault :
        List.of(
            new Fault.Refuse(429, "rateLimitExceeded"),
            new Fault.Refuse(403, "rateLimitExceeded"),
            new Fault.Refuse(403, "quotaExceeded"),
            new Fault.JobFails("jobRateLimitExceeded", "Slow down"),
            new Fault.JobFails(
                "invalidQuery", "Transaction is aborted due to concurrent update"))) {
      bigQuery.failInserts(fault);
      assertThat(warehouse.merge(batch(row("m1", 1, "k", 1))))
          .as(fault.toString())
          .isInstanceOf(MergeOutcome.Unavailable.class);
    }
  }

  @Test
  void missingProcedureAndPermissionNeedPeople() {
    create();
    bigQuery.failInserts(new Fault.Refuse(403, "accessDenied"));
    assertThat(warehouse.merge(batch(row("m1", 1, "k", 1))))
        .isInstanceOfSatisfying(
            MergeOutcome.Impossible.class,
            impossible -> assertThat(impossible.reason()).contains("roles/bigquery.jobUser"));

    bigQuery.dropProcedure("insert_instant_data");
    assertThat(warehouse.merge(batch(row("m1", 1, "k", 1))))
        .isInstanceOfSatisfying(
            MergeOutcome.Impossible.class,
            impossible -> assertThat(impossible.reason()).contains("notFound", "--print-ddl"));
  }

  @Test
  void badQueryIsTheRowsFaultOnlyIfTheTableFits() throws SQLException {
    create();
    bigQuery.refuse(call -> "Value out of range");
    assertThat(warehouse.merge(batch(row("m1", 1, "k", 1))))
        .isInstanceOf(MergeOutcome.Refused.class);

    bigQuery.refuse(call -> "");
    bigQuery.dropTable("instant_data");
    assertThat(warehouse.merge(batch(row("m1", 1, "k", 1))))
        .isInstanceOfSatisfying(
            MergeOutcome.Impossible.class,
            impossible -> assertThat(impossible.reason()).contains("does not exist"));
  }

  @Test
  void rowOfTheWrongTypeIsRefused() {
    create();

    assertThat(warehouse.merge(batch(Row.of(message("m", 0), "k", NOON, "7"))))
        .isInstanceOf(MergeOutcome.Refused.class);
  }

  @Test
  void positionsAndDeletionsAreRefused() {
    create();
    Batch inOrder =
        new Batch(
            UUID.randomUUID(),
            "test",
            TABLE,
            List.of(),
            Optional.of("place"),
            Duration.ofSeconds(60));

    assertThat(warehouse.merge(inOrder)).isInstanceOf(MergeOutcome.Impossible.class);
    assertThat(warehouse.merge(batch(Row.deletion(message("m", 0), "k", NOON, null))))
        .isInstanceOf(MergeOutcome.Impossible.class);
    assertThat(warehouse.position("test")).isEmpty();
  }

  @Test
  void deadLettersAreATableInWhichAMessageIsOnce() throws SQLException {
    Message large = Message.of("m", NOON, Map.of("power", "abc\0\""), new byte[2_000_000]);
    DeadLetter letter = new DeadLetter(UUID.randomUUID(), "test", large, "power is 'abc'", NOON);

    warehouse.write(List.of(letter));
    warehouse.write(List.of(letter, letter));

    assertThat(
            bigQuery.query(
                "SELECT source, message_id, reason, octet_length(body) FROM tidemark_dead_letters"))
        .containsExactly(
            List.of(
                "test",
                "m",
                "power is 'abc' (the body is cut from 2,000,000 bytes to 300,000)",
                "300000"));
  }

  @Test
  void statementsInTheJarAreThoseOfTheWarehouse() {
    assertThat(Instant2Bq.ddl("PROJECT.DATASET", "instant_data"))
        .isEqualTo(
            BigQueryWarehouse.ddl("PROJECT.DATASET", TABLE)
                + "\n"
                + BigQueryWarehouse.deadLetterDdl("PROJECT.DATASET"));
    assertThat(Instant2Bq.ddl(PLACE, "power"))
        .contains("`%s.power`".formatted(PLACE))
        .contains("`%s.insert_power`".formatted(PLACE))
        .doesNotContain("instant_data");
  }
}
