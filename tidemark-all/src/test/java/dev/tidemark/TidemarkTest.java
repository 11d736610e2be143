package dev.tidemark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.DuckDbWarehouse;
import dev.tidemark.loader.Loader;
import dev.tidemark.loader.StreamSource;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.TableMapping;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.records.RecordStore;
import dev.tidemark.remote.DatabaseServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TidemarkTest {
  private static final Key KEY = Key.utf8("key");

  @Test
  void failedTransactionLeavesNothingInAnyLayer() {
    try (Tidemark tidemark = Tidemark.open("memory:")) {
      RecordStore<Order> orders = tidemark.records(OrderStore::open);
      EventStream events = tidemark.stream("orders");
      ReplicatedMap<String, String> totals = tidemark.map("totals");
      PoolNode mail = tidemark.pool("mail");

      assertThatThrownBy(
              () ->
                  tidemark.run(
                      tx -> {
                        orders.insert(tx, new Order(7, "ann", 30));
                        events.add(tx, "order.placed", "", "7".getBytes(UTF_8));
                        totals.increment(tx, "ann", 30);
                        mail.dispatch(tx, "thank you for 7", "ann".getBytes(UTF_8));
                        throw new IllegalStateException("out of stock");
                      }))
          .hasMessage("out of stock");

      assertThat(tidemark.<Long, RuntimeException>read(orders::count)).isZero();
      assertThat(events.length()).isZero();
      assertThat(totals.get("ann")).isEmpty();
      assertThat(mail.jobKeys()).isEmpty();
    }
  }

  @Test
  void storeInADirectoryIsThereAgain(@TempDir Path directory) {
    try (Tidemark tidemark = Tidemark.open(directory)) {
      tidemark.run(tx -> tx.set(KEY, new byte[] {1}));
    }
    try (Tidemark tidemark = Tidemark.open(directory)) {
      Optional<byte[]> stored = tidemark.read(tx -> tx.get(KEY));
      assertThat(stored).isPresent();
    }
  }

  @Test
  void servedStoreIsOpenedByItsAddress() {
    try (Database database = EmbeddedDatabase.inMemory();
        DatabaseServer server = DatabaseServer.open(database, o -> o.withPort(0));
        Tidemark tidemark = Tidemark.open(server.uri())) {
      tidemark.stream("news").add("said", "hello".getBytes(UTF_8));

      try (Tidemark local = Tidemark.on(database)) {
        assertThat(local.stream("news").length()).isEqualTo(1);
      }
      Optional<byte[]> missing = database.read(tx -> tx.get(KEY));
      assertThat(missing).as("the database of the caller is still open").isEmpty();
    }
  }

  @Test
  void actorsRunInTheProcess() {
    try (Tidemark tidemark = Tidemark.open("memory:")) {
      PartitionClient client = tidemark.actors("n1", Tally.TYPE);

      client.send(Tally.TYPE, Key.utf8("ann"), "ann");
      assertThat(client.send(Tally.TYPE, Key.utf8("ann"), "ann")).isEqualTo("2");
    }
  }

  @Test
  void loaderFillsAWarehouse(@TempDir Path directory) {
    TableMapping mapping =
        TableMapping.table("sales")
            .json("id", ColumnType.INTEGER, Table.Role.KEY)
            .json("total", ColumnType.INTEGER, Table.Role.REQUIRED)
            .build();
    try (Tidemark tidemark = Tidemark.open("memory:")) {
      EventStream sales = tidemark.stream("sales", o -> o.keepingAll());
      sales.add("sold", "{\"id\": 7, \"total\": 30}".getBytes(UTF_8));
      DuckDbWarehouse warehouse =
          tidemark.own(DuckDbWarehouse.open(directory.resolve("sales.duckdb")));
      Loader loader =
          tidemark.loader(
              sales,
              "warehouse",
              o -> o.withAttributes(StreamSource.jsonAttributes()),
              warehouse,
              mapping,
              o -> o.withTablePolicy(Table.Policy.CREATE));

      assertThat(loader.drain().successful()).isTrue();
      assertThat(loader.statistics().merged()).isEqualTo(1);
    }
  }

  @Test
  void closesTheNewestFirstAndReportsEveryFailure() {
    List<String> closed = new ArrayList<>();
    Tidemark tidemark = Tidemark.open("memory:");
    tidemark.own(() -> closed.add("first"));
    tidemark.own(
        () -> {
          throw new IllegalStateException("second");
        });
    tidemark.own(
        () -> {
          closed.add("third");
          throw new IllegalArgumentException("third");
        });

    assertThatThrownBy(tidemark::close)
        .hasMessage("third")
        .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    tidemark.close();

    assertThat(closed).containsExactly("third", "first");
    assertThatThrownBy(() -> tidemark.own(() -> closed.add("late")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThat(closed).endsWith("late");
  }

  @Test
  void addressOfAnotherKindIsRefusedWithTheKindsThereAre() {
    assertThatThrownBy(() -> Tidemark.open("/var/lib/store"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Tidemark.open(Path)");
    assertThatThrownBy(() -> Tidemark.open(URI.create("fdb:cluster")))
        .hasMessageContaining("FoundationDb.open()");
  }
}
