package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.server.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresWarehouseTest extends WarehouseSuite {
  @TempDir private static Path directory;
  private static PostgresServer server;
  private PostgresWarehouse warehouse;
  private PostgresWarehouse second;

  @BeforeAll
  static void start() {
    server = PostgresServer.start(directory);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() {
    warehouse = PostgresWarehouse.of(server.connections());
    second = PostgresWarehouse.of(server.connections());
  }

  @AfterEach
  void close() throws SQLException {
    warehouse.close();
    second.close();
    execute("DROP SCHEMA public CASCADE");
    execute("CREATE SCHEMA public");
  }

  @Override
  Warehouse warehouse() {
    return warehouse;
  }

  @Override
  Warehouse secondWarehouse() {
    return second;
  }

  @Override
  Warehouse another() {
    return PostgresWarehouse.of(server.connections());
  }

  @Override
  Connection connection() throws SQLException {
    return server.connections().getConnection();
  }

  @Test
  void twoLoadersMayDrainOneQueueIntoOneTable() throws Exception {
    ManualTime time = ManualTime.selfAdvancing();
    QueueModel queue = new QueueModel(time, Duration.ofHours(1));
    for (int i = 0; i < 20_000; i++) {
      queue.publish("m" + i, Instant.EPOCH.plusSeconds(i), "key", "k" + i % 3_000, "value", "" + i);
    }
    warehouse.prepare(KeyValueMapping.TABLE, Table.Policy.CREATE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Loader one = loader(queue, time);
        Loader two =
            Loader.open(queue, second, new KeyValueMapping(), second, o -> o.withTime(time))) {
      Future<LoadResult> first = threads.submit(() -> one.drain());
      Future<LoadResult> other = threads.submit(() -> two.drain());

      assertThat(first.get().merged() + other.get().merged()).isEqualTo(20_000);
    }
    assertThat(queue.backlog()).isZero();
    assertThat(query("SELECT count(*), min(\"value\"::int), max(\"value\"::int) FROM pairs"))
        .containsExactly(List.of(3_000L, 17_000, 19_999));
  }

  @Test
  void connectionThatIsCutIsAPassingFailure() throws SQLException {
    warehouse.prepare(KeyValueMapping.TABLE, Table.Policy.CREATE);
    Row row = Row.of(Message.of("m", Instant.EPOCH, java.util.Map.of(), new byte[0]), "k", "v");
    assertThat(warehouse.merge(batch(row))).isEqualTo(new MergeOutcome.Merged(1));
    execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND"
            + " backend_type = 'client backend'");

    assertThat(warehouse.merge(batch(row))).isInstanceOf(MergeOutcome.Unavailable.class);
    assertThat(warehouse.merge(batch(row))).isEqualTo(new MergeOutcome.Merged(0));
  }

  /** An index takes 2,704 bytes; these do not compress. */
  @Test
  void keyThatIsTooLongForAnIndexIsADeadLetter() {
    ManualTime time = ManualTime.selfAdvancing();
    QueueModel queue = new QueueModel(time, Duration.ofHours(1));
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder endless = new StringBuilder();
    random.ints(10_000, 33, 126).forEach(endless::appendCodePoint);
    for (int i = 0; i < 20; i++) {
      String key = i == 7 ? endless.toString() : "k" + i;
      queue.publish("m" + i, Instant.EPOCH, "key", key, "value", "v");
    }
    warehouse.prepare(KeyValueMapping.TABLE, Table.Policy.CREATE);
    try (Loader loader = loader(queue, time)) {
      LoadResult result = loader.drain();

      assertThat(result.ending()).isInstanceOf(LoadResult.Ending.SourceEmpty.class);
      assertThat(result.merged()).isEqualTo(19);
      assertThat(result.dead()).isOne();
    }
    assertThat(queue.backlog()).isZero();
  }

  @Test
  void rowThatATriggerRefusesIsADeadLetter() throws SQLException {
    warehouse.prepare(KeyValueMapping.TABLE, Table.Policy.CREATE);
    execute(
        "CREATE FUNCTION check_value() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " IF NEW.\"value\" = 'v3' THEN RAISE EXCEPTION 'no three'; END IF;"
            + " RETURN NEW; END $$");
    execute(
        "CREATE TRIGGER checked BEFORE INSERT OR UPDATE ON pairs"
            + " FOR EACH ROW EXECUTE FUNCTION check_value()");
    ManualTime time = ManualTime.selfAdvancing();
    QueueModel queue = new QueueModel(time, Duration.ofHours(1));
    for (int i = 0; i < 8; i++) {
      queue.publish("m" + i, Instant.EPOCH, "key", "k" + i, "value", "v" + i);
    }
    try (Loader loader = loader(queue, time)) {
      LoadResult result = loader.drain();

      assertThat(result.merged()).isEqualTo(7);
      assertThat(result.dead()).isOne();
    }
    assertThat(query("SELECT message_id, reason LIKE '%no three%' FROM tidemark_dead_letters"))
        .containsExactly(List.of("m3", true));
  }

  @Test
  void loadersMayPrepareOneTableAtTheSameTime() throws Exception {
    int loaders = 8;
    CyclicBarrier begin = new CyclicBarrier(loaders);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < loaders; i++) {
        all.add(
            threads.submit(
                () -> {
                  try (PostgresWarehouse own = PostgresWarehouse.of(server.connections())) {
                    begin.await();
                    own.prepare(KeyValueMapping.TABLE, Table.Policy.CREATE);
                  }
                  return null;
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    assertThat(query("SELECT count(*) FROM pairs")).containsExactly(List.of(0L));
  }

  /** Without a limit on logging in, the question would wait for ever. */
  @Test
  void serverThatSaysNothingIsGivenUp() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        PostgresWarehouse unheard =
            PostgresWarehouse.open(
                "jdbc:postgresql://127.0.0.1:%d/nothing?user=nobody&sslmode=disable"
                    .formatted(silent.getLocalPort()))) {
      assertThat(unheard.settle(UUID.randomUUID())).isInstanceOf(MergeOutcome.Unknown.class);
    }
  }

  private static Batch batch(Row row) {
    return new Batch(
        UUID.randomUUID(),
        "test",
        KeyValueMapping.TABLE,
        List.of(row),
        Optional.empty(),
        Duration.ofSeconds(30));
  }
}
