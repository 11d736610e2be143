package dev.tidemark.loader.sync;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.DuckDbWarehouse;
import dev.tidemark.loader.RecordTable;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.TableMismatchException;
import dev.tidemark.loader.TableSync;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangeLogException;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table that follows a record store. */
class TableSyncTest {
  private static final int KEYS = 40;

  @TempDir Path directory;
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final RecordSpace space = space("bank", CaptureType.NEW_ROW);
  private final RecordStore<Account> accounts = space.store(Account_.TYPE);
  private final MetadataStore metadata = MetadataStore.in(database, Subspace.of("readers"));

  @AfterEach
  void close() {
    database.close();
  }

  private RecordSpace space(String name, CaptureType capture) {
    Schema schema =
        Schema.of(1, List.of(Account_.TYPE), List.of())
            .withStreams(ChangeStreamSpec.of("ledger").withCapture(capture));
    return RecordSpace.open(database, schema, Subspace.of(name));
  }

  private Path file() {
    return directory.resolve("bank.duckdb");
  }

  private TableSync start(RecordSpace from, DuckDbWarehouse warehouse) {
    return start(from, warehouse, RecordTable.of(Account_.TYPE.spec()));
  }

  private TableSync start(RecordSpace from, DuckDbWarehouse warehouse, RecordTable table) {
    return TableSync.start(
        RecordChangeSource.of(from, "ledger"),
        metadata,
        table,
        warehouse,
        o ->
            o.withBatchSize(7)
                .withHeartbeat(Duration.ofMillis(100))
                .withDetectionInterval(Duration.ofMillis(10))
                .withLease(Duration.ofSeconds(1)));
  }

  private Map<Long, String> rows() {
    Map<Long, String> rows = new TreeMap<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file());
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT id, owner, balance FROM account")) {
      while (found.next()) {
        rows.put(found.getLong(1), found.getString(2) + " " + found.getLong(3));
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
    return rows;
  }

  private void save(Account account) {
    database.run(tx -> accounts.save(tx, account));
  }

  @Test
  void aWarehouseInThePlaceOfOneThatIsGoneGetsEverythingAgain() throws IOException {
    save(new Account(1, "Ada", 100));
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
        TableSync sync = start(space, warehouse)) {
      eventually("the row", () -> rows().size() == 1);
      assertThat(sync.endReason()).isEmpty();
    }
    Files.delete(file());
    save(new Account(2, "Bo", 5));
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
        TableSync sync = start(space, warehouse)) {
      eventually("both rows", () -> rows().equals(Map.of(1L, "Ada 100", 2L, "Bo 5")));
      assertThat(sync.endReason()).isEmpty();
    }
  }

  @Test
  void tableFollowsInsertsUpdatesAndDeletes() {
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
        TableSync sync = start(space, warehouse)) {
      save(new Account(1, "Ada", 100));
      save(new Account(2, "Bo", 5));
      eventually("both rows", () -> rows().size() == 2);
      save(new Account(1, "Ada", 70));
      database.run(tx -> accounts.delete(tx, 2L));
      eventually("the update and the deletion", () -> rows().equals(Map.of(1L, "Ada 70")));
      eventually("the count of all changes", () -> sync.changes() == 4);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void tableEqualsTheStoreAfterSplitsMergesAndRestarts(long seed) {
    Random random = new Random(seed);
    Map<Long, String> model = new TreeMap<>();
    ChangeLog log = space.changes().log("ledger");
    DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
    TableSync sync = start(space, warehouse);
    try {
      for (int step = 0; step < 300; step++) {
        long id = random.nextInt(KEYS);
        switch (random.nextInt(40)) {
          case 0 -> split(log, random);
          case 1 -> merge(log, random);
          case 2 -> {
            sync.close();
            warehouse.close();
            warehouse = DuckDbWarehouse.open(file());
            sync = start(space, warehouse);
          }
          case 3, 4, 5, 6, 7, 8, 9, 10 -> {
            database.run(tx -> accounts.delete(tx, id));
            model.remove(id);
          }
          default -> {
            save(new Account(id, "owner" + step, step));
            model.put(id, "owner" + step + " " + step);
          }
        }
      }
      assertThat(log.partitions()).as("partitions of seed " + seed).hasSizeGreaterThan(1);
      eventually("the table of seed " + seed, () -> rows().equals(model));
    } finally {
      sync.close();
      warehouse.close();
    }
  }

  private static void split(ChangeLog log, Random random) {
    List<ChangePartition> alive = log.partitions();
    try {
      log.split(
          alive.get(random.nextInt(alive.size())).token(),
          "Account",
          Tuple.of((long) random.nextInt(KEYS)));
    } catch (ChangeLogException outside) {
      // The key belongs to another partition, or the partition has ended.
    }
  }

  private static void merge(ChangeLog log, Random random) {
    List<ChangePartition> alive = log.partitions();
    if (alive.size() > 1) {
      int first = random.nextInt(alive.size() - 1);
      try {
        log.merge(alive.get(first).token(), alive.get(first + 1).token());
      } catch (ChangeLogException apart) {
        // They are no neighbours, or one of them has ended.
      }
    }
  }

  @Test
  void newFieldsBecomeColumnsAndOtherTypesAreRefusedWithTheDifference() {
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file())) {
      warehouse.prepare(
          Table.of("account", List.of(new Table.Column("id", ColumnType.INTEGER, Table.Role.KEY))),
          Table.Policy.CREATE);
      save(new Account(1, "Ada", 100));
      try (TableSync sync = start(space, warehouse)) {
        eventually("the row", () -> rows().equals(Map.of(1L, "Ada 100")));
        assertThat(sync.endReason()).isEmpty();
      }
      warehouse.prepare(
          Table.of(
              "wrong",
              List.of(
                  new Table.Column("id", ColumnType.INTEGER, Table.Role.KEY),
                  new Table.Column("owner", ColumnType.INTEGER, Table.Role.OPTIONAL))),
          Table.Policy.CREATE);
      assertThatThrownBy(
              () ->
                  TableSync.start(
                      RecordChangeSource.of(space, "ledger"),
                      metadata,
                      RecordTable.of(Account_.TYPE.spec()).withName("wrong"),
                      warehouse))
          .isInstanceOf(TableMismatchException.class)
          .hasMessageContaining("column 'owner' is BIGINT, and VARCHAR in the mapping");
    }
  }

  /** A later version of the program on the same records, while the sync of the old one runs. */
  private <R> RecordStore<R> evolved(RecordType<R> type) {
    return evolved(2, type);
  }

  private <R> RecordStore<R> evolved(int version, RecordType<R> type) {
    Schema schema =
        Schema.of(version, List.of(type), List.of())
            .withStreams(ChangeStreamSpec.of("ledger").withCapture(CaptureType.NEW_ROW));
    return RecordSpace.open(database, schema, Subspace.of("bank")).store(type);
  }

  private List<String> cities() {
    return columns().contains("city")
        ? texts("SELECT id || ' ' || coalesce(city, 'null') FROM account ORDER BY id")
        : List.of("no column yet");
  }

  private List<String> texts(String query) {
    List<String> texts = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file());
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      while (found.next()) {
        texts.add(found.getString(1));
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
    return texts;
  }

  @Test
  void fieldThatTheSchemaGetsMeanwhileBecomesAColumnOfTheRunningSync() {
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
        TableSync sync = start(space, warehouse)) {
      save(new Account(1, "Ada", 100));
      save(new Account(2, "Bo", 5));
      eventually("the rows before", () -> rows().size() == 2);

      RecordStore<AccountWithCity> later = evolved(AccountWithCity_.TYPE);
      for (long id = 2; id <= 30; id++) {
        AccountWithCity account = new AccountWithCity(id, "Cy", id, "Oslo " + id);
        database.run(tx -> later.save(tx, account));
      }

      eventually("all rows", () -> rows().size() == 30 && cities().contains("30 Oslo 30"));
      assertThat(cities()).hasSize(30).startsWith("1 null", "2 Oslo 2", "3 Oslo 3");
      assertThat(rows()).containsEntry(1L, "Ada 100").containsEntry(2L, "Cy 2");
      assertThat(sync.endReason()).isEmpty();
    }
  }

  @Test
  void fieldThatGetsAnotherNameStaysInItsColumn() {
    save(new Account(1, "Ada", 100));
    save(new Account(2, "Bo", 5));
    save(new Account(3, "Cy", 7));
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
        TableSync sync = start(space, warehouse)) {
      eventually("the rows before", () -> rows().size() == 3);

      RecordStore<AccountOfHolder> later = evolved(AccountOfHolder_.TYPE);
      database.run(tx -> later.delete(tx, 3L));
      database.run(tx -> later.save(tx, new AccountOfHolder(2, "Bob", 6)));

      eventually("the changes", () -> rows().equals(Map.of(1L, "Ada 100", 2L, "Bob 6")));
      assertThat(columns()).containsExactlyInAnyOrder("id", "owner", "balance");
      assertThat(sync.endReason()).isEmpty();
    }
  }

  @Test
  void fieldThatIsLeftOutStaysLeftOutUnderAnotherName() {
    save(new Account(1, "Ada", 100));
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
        TableSync sync =
            start(space, warehouse, RecordTable.of(Account_.TYPE.spec()).without("owner"))) {
      eventually("the row before", () -> balances().equals(List.of("1 100")));

      RecordStore<AccountOfHolder> later = evolved(AccountOfHolder_.TYPE);
      database.run(tx -> later.save(tx, new AccountOfHolder(2, "Bob", 6)));

      eventually("the row", () -> balances().equals(List.of("1 100", "2 6")));
      assertThat(columns()).containsExactlyInAnyOrder("id", "balance");
      assertThat(sync.endReason()).isEmpty();
    }
  }

  @Test
  void newFieldWithTheFormerNameOfAnotherEndsTheWorkBeforeTheyMix() throws Exception {
    save(new Account(1, "Ada", 100));
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
        TableSync sync = start(space, warehouse)) {
      eventually("the row before", () -> rows().size() == 1);

      evolved(AccountOfHolder_.TYPE);
      RecordStore<AccountWithAnotherOwner> later = evolved(3, AccountWithAnotherOwner_.TYPE);
      database.run(tx -> later.save(tx, new AccountWithAnotherOwner(2, "Bo", 5, "Eve")));

      EndReason end = sync.await(Duration.ofSeconds(30)).orElseThrow();
      assertThat(end).isInstanceOf(EndReason.Failed.class);
      assertThat(((EndReason.Failed) end).cause())
          .hasStackTraceContaining("'owner'")
          .hasStackTraceContaining("nothing is lost meanwhile");
      assertThat(rows()).isEqualTo(Map.of(1L, "Ada 100"));
    }
  }

  private List<String> columns() {
    return texts(
        "SELECT column_name FROM duckdb_columns()"
            + " WHERE table_name = 'account' AND NOT starts_with(column_name, '_')");
  }

  private List<String> balances() {
    return texts("SELECT id || ' ' || balance FROM account ORDER BY id");
  }

  @Test
  void newFieldWithoutAColumnTypeEndsTheWorkAndNothingIsLost() throws Exception {
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file())) {
      try (TableSync sync = start(space, warehouse)) {
        save(new Account(1, "Ada", 100));
        eventually("the row before", () -> rows().size() == 1);

        RecordStore<AccountWithTags> later = evolved(AccountWithTags_.TYPE);
        database.run(tx -> later.save(tx, new AccountWithTags(2, "Bo", 5, List.of("new"))));

        EndReason end = sync.await(Duration.ofSeconds(30)).orElseThrow();
        assertThat(end).isInstanceOf(EndReason.Failed.class);
        assertThat(((EndReason.Failed) end).cause())
            .hasStackTraceContaining("the fields [tags] are new")
            .hasStackTraceContaining("RecordTable.without(\"tags\")")
            .hasStackTraceContaining("nothing is lost meanwhile");
        assertThat(rows()).isEqualTo(Map.of(1L, "Ada 100"));
      }
      try (TableSync sync =
          start(space, warehouse, RecordTable.of(AccountWithTags_.TYPE.spec()).without("tags"))) {
        eventually("the row", () -> rows().equals(Map.of(1L, "Ada 100", 2L, "Bo 5")));
        assertThat(sync.endReason()).isEmpty();
      }
    }
  }

  /** Each remembers its partitions for itself, so that only the warehouse can tell them apart. */
  @Test
  void ofTwoThatFillATableOneEndsAndTheOtherKeepsItInStep() {
    try (DuckDbWarehouse first = DuckDbWarehouse.open(file());
        DuckDbWarehouse second = DuckDbWarehouse.open(file());
        TableSync one = startAlone(first)) {
      save(new Account(1, "Ada", 100));
      eventually("the first row", () -> rows().size() == 1);
      try (TableSync two = startAlone(second)) {
        AtomicLong balance = new AtomicLong();
        eventually(
            "one of them ends",
            () -> {
              save(new Account(2, "Bo", balance.incrementAndGet()));
              return one.endReason().isPresent() || two.endReason().isPresent();
            });
        database.run(tx -> accounts.delete(tx, 1L));

        eventually("the other goes on", () -> rows().equals(Map.of(2L, "Bo " + balance.get())));
        assertThat(one.endReason().isPresent() && two.endReason().isPresent()).isFalse();
      }
    }
  }

  /** To the warehouse both would look like one. */
  @Test
  void secondWithTheSameWarehouseIsRefusedUntilTheFirstIsClosed() {
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file())) {
      try (TableSync one = startAlone(warehouse);
          TableSync elsewhere =
              startAlone(warehouse, RecordTable.of(Account_.TYPE.spec()).withName("copy"))) {
        assertThatThrownBy(() -> startAlone(warehouse))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("A sync of table 'account' with Account goes on in this process")
            .hasMessageContaining("Close the other one first");
        save(new Account(1, "Ada", 100));
        eventually("the row", () -> rows().equals(Map.of(1L, "Ada 100")));
        assertThat(one.endReason()).isEmpty();
        assertThat(elsewhere.endReason()).isEmpty();
      }
      try (TableSync two = startAlone(warehouse)) {
        save(new Account(2, "Bo", 5));
        eventually("both rows", () -> rows().equals(Map.of(1L, "Ada 100", 2L, "Bo 5")));
        assertThat(two.endReason()).isEmpty();
      }
    }
  }

  private TableSync startAlone(DuckDbWarehouse warehouse) {
    return startAlone(warehouse, RecordTable.of(Account_.TYPE.spec()));
  }

  private TableSync startAlone(DuckDbWarehouse warehouse, RecordTable table) {
    return TableSync.start(
        RecordChangeSource.of(space, "ledger"),
        MetadataStore.inMemory(TimeSource.system()),
        table,
        warehouse,
        o -> o.withHeartbeat(Duration.ofMillis(100)));
  }

  @Test
  void keysThatTheTableCannotTellApartEndTheWorkBeforeTwoRecordsAreOneRow() throws Exception {
    Instant noon = Instant.parse("2026-01-31T12:00:00.000001Z");
    RecordStore<Tick> ticks = ticks("ticks");
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
        TableSync sync = start(ticks.space(), warehouse, RecordTable.of(Tick_.TYPE.spec()))) {
      database.run(tx -> ticks.save(tx, new Tick(noon, 'a', BigDecimal.ONE)));
      eventually("the row", () -> sync.changes() == 1);

      database.run(tx -> ticks.save(tx, new Tick(noon.plusNanos(1), 'b', BigDecimal.ONE)));

      assertThat(failureOf(sync))
          .hasStackTraceContaining("'at' of the key is 2026-01-31T12:00:00.000001001Z")
          .hasStackTraceContaining("cut to microseconds");
    }
  }

  @Test
  void valuesThatAColumnCannotHoldEndTheWorkAndNameTheFieldAndTheRecord() throws Exception {
    Instant noon = Instant.parse("2026-01-31T12:00:00Z");
    for (Tick unfit :
        List.of(
            new Tick(noon, '\ud83d', BigDecimal.ONE),
            new Tick(noon, 'a', new BigDecimal("0.0000000001")))) {
      RecordStore<Tick> ticks = ticks("ticks of " + unfit.price());
      try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
          TableSync sync = start(ticks.space(), warehouse, RecordTable.of(Tick_.TYPE.spec()))) {
        database.run(tx -> ticks.save(tx, unfit));

        assertThat(failureOf(sync))
            .hasStackTraceContaining(unfit.mark() == 'a' ? "'price' is 1E-10" : "U+D83D")
            .hasStackTraceContaining("the record with the key {at=2026-01-31T12:00:00Z}");
      }
      Files.delete(file());
    }
  }

  private RecordStore<Tick> ticks(String name) {
    Schema schema =
        Schema.of(1, List.of(Tick_.TYPE), List.of())
            .withStreams(ChangeStreamSpec.of("ledger").withCapture(CaptureType.NEW_ROW));
    return RecordSpace.open(database, schema, Subspace.of(name)).store(Tick_.TYPE);
  }

  private static Throwable failureOf(TableSync sync) throws InterruptedException {
    EndReason end = sync.await(Duration.ofSeconds(30)).orElseThrow();
    assertThat(end).isInstanceOf(EndReason.Failed.class);
    return ((EndReason.Failed) end).cause();
  }

  @Test
  void streamThatLacksWholeRowsEndsTheWorkWithAReason() throws Exception {
    RecordSpace partial = space("partial", CaptureType.NEW_VALUES);
    try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file());
        TableSync sync = start(partial, warehouse)) {
      database.run(tx -> partial.store(Account_.TYPE).save(tx, new Account(1, "Ada", 1)));
      EndReason end = sync.await(Duration.ofSeconds(30)).orElseThrow();
      assertThat(end).isInstanceOf(EndReason.Failed.class);
      assertThat(((EndReason.Failed) end).cause())
          .hasStackTraceContaining("create it with NEW_ROW");
    }
  }
}
