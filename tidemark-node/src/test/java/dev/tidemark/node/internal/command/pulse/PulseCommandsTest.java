package dev.tidemark.node.internal.command.pulse;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.node.Call;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.remote.DatabaseServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands {@code stream}, {@code map} and {@code pool}. */
class PulseCommandsTest {
  @TempDir private Path directory;
  private final Call call = new Call();
  private String store = "";

  @BeforeEach
  void makeStore() {
    store = directory.resolve("store").toString();
    EmbeddedDatabase.open(directory.resolve("store")).close();
  }

  private void works(String... args) {
    assertThat(call.run(args)).as(call.err()).isZero();
  }

  @Test
  void eventsArePublishedListedAndShown() {
    works("stream", "publish", store, "orders", "order.placed", "4\\x01", "--topic", "ann");
    String first = call.out().strip();
    works("stream", "publish", store, "orders", "order.paid", "--once", "k", "--json");
    String second = call.out();
    works("stream", "publish", store, "orders", "order.paid", "--once", "k", "--json");
    assertThat(call.out())
        .isEqualTo(second)
        .startsWith("{\"done\":\"publish\",\"stream\":\"orders\",\"id\":\"");

    works("stream", "list", store, "--json");
    assertThat(call.out()).isEqualTo("{\"stream\":\"orders\",\"events\":2}\n");
    works("stream", "tail", store, "orders");
    assertThat(call.out().lines()).hasSize(2);
    assertThat(call.out()).startsWith(first + "\t").contains("\torder.placed\tann\t4\\x01\n");
    works("stream", "tail", store, "orders", "--from", first, "--json");
    assertThat(call.out()).hasLineCount(1).contains("\"name\":\"order.paid\"", "\"topic\":\"\"");
    works("stream", "tail", store, "orders", "--topic", "ann", "--limit", "1");
    assertThat(call.out()).hasLineCount(1);
    works("stream", "tail", store, "orders", "--from", "2026-01-01T00:00:00Z", "--limit", "2");
    assertThat(call.out()).hasLineCount(2);
    works("stream", "tail", store, "orders", "--from", "now");
    assertThat(call.out()).isEmpty();
  }

  @Test
  void tailOfAServedStoreWaitsForMore() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("store"));
        DatabaseServer server = DatabaseServer.open(database);
        Pulse pulse = Pulse.on(database)) {
      pulse.stream("orders").add("first", new byte[0]);
      CountDownLatch ended = new CountDownLatch(1);
      String uri = server.uri().toString();
      Call tail = new Call();
      Thread.ofVirtual()
          .start(
              () -> {
                tail.run("stream", "tail", uri, "orders", "--follow", "--limit", "2");
                ended.countDown();
              });
      pulse.stream("orders").add("second", new byte[0]);

      assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(tail.out()).as(tail.err()).contains("first", "second");
    }
  }

  @Test
  void entriesOfMapsAreSetShownAndDeleted() {
    works("map", "set", store, "settings", "threshold", "1600");
    works("map", "set", store, "settings", "color", "blue");
    works("map", "get", store, "settings", "threshold");
    assertThat(call.out()).isEqualTo("1600\n");
    works("map", "get", store, "settings", "--json");
    assertThat(call.out())
        .isEqualTo(
            "{\"key\":\"color\",\"value\":\"blue\"}\n{\"key\":\"threshold\",\"value\":\"1600\"}\n");
    works("map", "list", store, "--json");
    assertThat(call.out()).isEqualTo("{\"map\":\"settings\",\"entries\":2}\n");
    works("map", "delete", store, "settings", "color");
    assertThat(call.run("map", "delete", store, "settings", "color")).isEqualTo(1);
    assertThat(call.err()).isEqualTo("tidemark: there is no key 'color' in map 'settings'\n");
    assertThat(call.run("map", "get", store, "settings", "color")).isEqualTo(1);
  }

  @Test
  void changesAreToldToScripts() {
    works("map", "set", store, "settings", "color", "blue");
    assertThat(call.out()).isEmpty();
    works("map", "set", store, "settings", "color", "red", "--json");
    assertThat(call.out()).isEqualTo("{\"done\":\"set\",\"map\":\"settings\",\"key\":\"color\"}\n");
    works("map", "delete", store, "settings", "color", "--json");
    assertThat(call.out())
        .isEqualTo("{\"done\":\"delete\",\"map\":\"settings\",\"key\":\"color\"}\n");
    works("pool", "dispatch", store, "mail", "order-1", "ann", "--json");
    assertThat(call.out())
        .isEqualTo("{\"done\":\"dispatch\",\"pool\":\"mail\",\"job\":\"order-1\"}\n");
    works("pool", "payload", store, "mail", "order-1", "--json");
    assertThat(call.out()).isEqualTo("{\"job\":\"order-1\",\"payload\":\"ann\"}\n");
    works("pool", "stop", store, "mail", "order-1", "--json");
    assertThat(call.out()).isEqualTo("{\"done\":\"stop\",\"pool\":\"mail\",\"job\":\"order-1\"}\n");
    assertThat(call.run("pool", "stop", store, "mail", "order-1", "--json")).isEqualTo(1);
    assertThat(call.out()).isEmpty();
  }

  @Test
  void deadJobIsReplayed() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("store"));
        DatabaseServer server = DatabaseServer.open(database);
        Pulse pulse = Pulse.on(database)) {
      CountDownLatch mended = new CountDownLatch(1);
      AtomicBoolean broken = new AtomicBoolean(true);
      PoolNode node = pulse.pool("mail");
      node.addRunner(
          job -> {
            if (broken.get()) {
              throw new IllegalStateException("As injected");
            }
            mended.countDown();
          });
      String uri = server.uri().toString();
      works("pool", "dispatch", uri, "mail", "order-1", "ann");
      eventually(
          "the job is dead",
          () -> {
            works("pool", "jobs", uri, "mail", "--dead", "--json");
            return call.out().contains("\"job\":\"order-1\"");
          });
      broken.set(false);
      works("pool", "replay", uri, "mail", "order-1", "--json");
      assertThat(call.out())
          .isEqualTo("{\"done\":\"replay\",\"pool\":\"mail\",\"job\":\"order-1\"}\n");
      assertThat(mended.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void programsSeeWhatTheCommandSets() {
    works("map", "set", store, "settings", "threshold", "1600");
    works("stream", "publish", store, "orders", "order.placed", "42");
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("store"));
        Pulse pulse = Pulse.on(database);
        ReplicatedMap<String, String> settings = pulse.map("settings")) {
      assertThat(settings.get("threshold")).contains("1600");
      assertThat(pulse.stream("orders").length()).isEqualTo(1);
    }
  }

  @Test
  void jobsAreDispatchedListedAndStopped() {
    works("pool", "dispatch", store, "mail", "order-1", "ann");
    works("pool", "dispatch", store, "mail", "order-2");
    works("pool", "jobs", store, "mail", "--json");
    assertThat(call.out()).hasLineCount(2).contains("\"job\":\"order-1\"", "\"state\":\"WAITING\"");
    works("pool", "payload", store, "mail", "order-1");
    assertThat(call.out()).isEqualTo("ann\n");
    works("pool", "workers", store, "mail", "--json");
    assertThat(call.out()).isEmpty();
    works("pool", "stop", store, "mail", "order-1");
    works("pool", "list", store, "--json");
    assertThat(call.out()).isEqualTo("{\"pool\":\"mail\",\"jobs\":1,\"dead\":0,\"workers\":0}\n");
    assertThat(call.run("pool", "dispatch", store, "mail", "order-2")).isEqualTo(1);
    assertThat(call.err()).startsWith("tidemark: ").doesNotContain("\tat ");
    assertThat(call.run("pool", "replay", store, "mail", "order-2")).isEqualTo(1);
  }

  @Test
  void poolWithWorkersIsSeenWhileItIsServed() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("store"));
        DatabaseServer server = DatabaseServer.open(database);
        Pulse pulse = Pulse.on(database)) {
      CountDownLatch ran = new CountDownLatch(1);
      PoolNode node = pulse.pool("mail");
      node.addRunner(job -> ran.countDown());
      String uri = server.uri().toString();
      works("pool", "dispatch", uri, "mail", "order-1", "ann");

      assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
      works("pool", "workers", uri, "mail");
      assertThat(call.out()).contains(node.id());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stream tail STORE orders | 1 | There is no stream 'orders' in this store; stream list",
        "map get STORE settings | 1 | There is no map 'settings'",
        "pool jobs STORE mail | 1 | There is no pool 'mail'",
        "stream tail STORE orders --from yesterday | 2 | --from takes beginning, now, a time",
        "stream tail STORE orders --limit 0 | 2 | --limit takes a whole number",
        "stream publish STORE a*b event | 1 | The name of a stream has no space, NUL or",
        "stream publish nowhere orders event | 1 | There is no directory",
        "stream publish STORE orders event \\q | 2 | has a backslash",
        "map set STORE settings key | 2 | Missing required parameter: 'VALUE'"
      })
  void mistakesAreNamed(String words, int exitCode, String reason) {
    List<String> line = List.of(words.replace("STORE", store).split(" ", -1));

    assertThat(call.run(line.toArray(String[]::new))).as(call.err()).isEqualTo(exitCode);
    assertThat(call.err()).startsWith("tidemark: ").contains(reason).doesNotContain("\tat ");
    assertThat(call.out()).isEmpty();
  }

  @Test
  void storeWithoutAnyShowsNone() {
    for (String kind : List.of("stream", "map", "pool")) {
      works(kind, "list", store, "--json");
      assertThat(call.out()).isEmpty();
    }
  }
}
