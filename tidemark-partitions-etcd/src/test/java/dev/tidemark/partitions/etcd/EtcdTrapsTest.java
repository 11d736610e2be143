package dev.tidemark.partitions.etcd;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.testkit.server.Certificates;
import dev.tidemark.testkit.server.EtcdServer;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What etcd and its client do that one does not expect. */
class EtcdTrapsTest {
  private static final Tuple ROW = Tuple.of("a", 1);
  private static final Tuple OTHER = Tuple.of("b", 1);

  private static EtcdForTests etcd;

  @BeforeAll
  static void start() {
    etcd = EtcdForTests.start();
  }

  @AfterAll
  static void stop() {
    if (etcd != null) {
      etcd.close();
    }
  }

  private static int set(RowStore store, Tuple key, int value) {
    return store.transact(
        rows -> {
          rows.set(key, new byte[] {(byte) value});
          return value;
        });
  }

  private static ByteSequence text(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  @Test
  void readsOfATransitionAreOfOneRevision() {
    try (RowStore store = etcd.rows()) {
      set(store, ROW, 1);
      set(store, OTHER, 1);
      List<Integer> seen =
          store.read(
              rows -> {
                int first = rows.get(ROW).orElseThrow()[0];
                set(store, ROW, 2);
                set(store, OTHER, 2);
                return List.of(first, (int) rows.get(OTHER).orElseThrow()[0]);
              });

      assertThat(seen).containsExactly(1, 1);
    }
  }

  @Test
  void transitionWhoseRevisionWasCompactedRunsAgain() {
    try (RowStore store = etcd.rows();
        Client client = Client.builder().endpoints(etcd.server().endpoint()).build()) {
      set(store, ROW, 1);
      AtomicInteger runs = new AtomicInteger();
      int seen =
          store.transact(
              rows -> {
                int found = rows.get(ROW).orElseThrow()[0];
                if (runs.incrementAndGet() == 1) {
                  set(store, ROW, 2);
                  compact(client);
                }
                rows.get(OTHER);
                rows.set(OTHER, new byte[] {(byte) found});
                return found;
              });

      assertThat(runs).hasValue(2);
      assertThat(seen).isEqualTo(2);
    }
  }

  private static void compact(Client client) {
    try {
      long now =
          client.getKVClient().get(text("x")).get(30, TimeUnit.SECONDS).getHeader().getRevision();
      assertThat(client.getKVClient().compact(now).get(30, TimeUnit.SECONDS)).isNotNull();
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void tooManyRowsOfATransitionAreRefusedWithTheLimit() {
    try (RowStore store = etcd.rows()) {
      assertThatThrownBy(
              () ->
                  store.transact(
                      rows -> {
                        for (int i = 0; i < 200; i++) {
                          rows.set(Tuple.of("many", i), new byte[] {1});
                        }
                        return 0;
                      }))
          .isInstanceOf(LimitExceededException.class)
          .hasMessageContaining("128");
    }
  }

  @Test
  void scanOfManyPagesIsWhole() {
    try (RowStore store = etcd.rows()) {
      for (int page = 0; page < 11; page++) {
        int from = page * 100;
        store.transact(
            rows -> {
              for (int i = from; i < from + 100; i++) {
                rows.set(Tuple.of("many", i), new byte[] {1});
              }
              return 0;
            });
      }

      int all = store.read(rows -> rows.scan(Tuple.of("many"), Integer.MAX_VALUE).size());
      int some = store.read(rows -> rows.scan(Tuple.of("many"), 700).size());

      assertThat(all).isEqualTo(1_100);
      assertThat(some).isEqualTo(700);
    }
  }

  @Test
  void callsEndInTimeWhileEtcdIsAwayAndListenersHearAgainAfterwards() {
    try (EtcdForTests other = EtcdForTests.start();
        RowStore store = connect(other.place().withTimeout(Duration.ofSeconds(1)))) {
      AtomicInteger calls = new AtomicInteger();
      try (RowStore.Listening listening = store.onWake("c", hint -> calls.incrementAndGet())) {
        eventually("the listener is called at the beginning", () -> calls.get() == 1);
        other.server().kill();

        assertThatThrownBy(() -> store.read(rows -> rows.get(ROW).isPresent()))
            .isInstanceOf(UnavailableException.class);

        other.server().start();
        eventually("etcd takes changes again", () -> wake(store));
        int before = calls.get();
        eventually("a wake-up arrives", () -> wake(store) && calls.get() > before + 1);
        assertThat(listening).isNotNull();
      }
    }
  }

  /** Tries again: an etcd that has just started may need longer than a short time-out allows. */
  private static RowStore connect(EtcdOptions options) {
    AtomicReference<RowStore> connected = new AtomicReference<>();
    eventually(
        "etcd answers within " + options.timeout(),
        () -> {
          try {
            connected.set(EtcdRows.connect(options));
            return true;
          } catch (UnavailableException notYet) {
            return false;
          }
        });
    return connected.get();
  }

  private static boolean wake(RowStore store) {
    try {
      return store.transact(
          rows -> {
            rows.wake("c", RowStore.NO_HINT);
            return true;
          });
    } catch (DatabaseException notYet) {
      return false;
    }
  }

  @Test
  void tlsAndLoginAreUsed(@TempDir Path directory) throws Exception {
    Certificates certificates = Certificates.makeFor(directory, "etcd", "ip:127.0.0.1");
    try (EtcdServer secure =
        EtcdServer.start(
            directory.resolve("etcd"),
            "--cert-file=" + certificates.certificate(),
            "--key-file=" + certificates.privateKey())) {
      EtcdOptions options = EtcdOptions.at(secure.endpoint()).withTls(certificates.certificate());
      try (Client admin =
          Client.builder()
              .endpoints(secure.endpoint())
              .sslContext(ssl -> ssl.trustManager(certificates.certificate().toFile()))
              .build()) {
        admin.getAuthClient().userAdd(text("root"), text("secret")).get(30, TimeUnit.SECONDS);
        admin.getAuthClient().userGrantRole(text("root"), text("root")).get(30, TimeUnit.SECONDS);
        admin.getAuthClient().authEnable().get(30, TimeUnit.SECONDS);
      }

      assertThatThrownBy(() -> EtcdRows.connect(options)).isInstanceOf(UnavailableException.class);
      try (RowStore store = EtcdRows.connect(options.withLogin("root", "secret"))) {
        assertThat(set(store, ROW, 7)).isEqualTo(7);
      }
    }
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(EtcdOptions::at).isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> EtcdOptions.at("etcd:2379")).isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> EtcdOptions.at("http://etcd:2379").withPrefix(" "))
        .isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> EtcdOptions.at("http://e:1").withTls(Path.of("ca.pem")))
        .hasMessageContaining("https");
    assertThat(EtcdOptions.at("http://e:1").withLogin("u", "hidden").toString())
        .doesNotContain("hidden");
  }
}
