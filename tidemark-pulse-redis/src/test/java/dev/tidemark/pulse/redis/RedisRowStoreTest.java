package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.redis.internal.RedisBackend;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisRowStoreTest {
  private static final Tuple TABLE = Tuple.of("jobs");

  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  private RedisBackend backend;
  private RowStore store;

  @BeforeEach
  void connect() {
    backend = RedisBackend.connect(RedisOptions.at(SERVER.uri()), TimeSource.system());
    store = backend.pool("workers");
  }

  @AfterEach
  void close() {
    store.close();
    backend.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void set(Tuple key, String value) {
    store.transact(
        rows -> {
          rows.set(key, bytes(value));
          return 0;
        });
  }

  private void fill(int count) {
    store.transact(
        rows -> {
          for (int i = 0; i < count; i++) {
            rows.set(TABLE.append(i), bytes("" + i));
          }
          return count;
        });
  }

  private Optional<String> get(RowStore from, Tuple key) {
    return from.read(rows -> rows.get(key)).map(RedisNames::text);
  }

  private static List<String> values(List<Rows.Row> rows) {
    return rows.stream().map(row -> RedisNames.text(row.value())).toList();
  }

  @Test
  void whatOneProcessWritesAnotherReads() {
    set(TABLE.append("a"), "1");

    assertThat(get(backend.pool("workers"), TABLE.append("a"))).contains("1");
    assertThat(get(backend.pool("others"), TABLE.append("a"))).isEmpty();
  }

  @Test
  void transitionSeesItsOwnWritesAmongThoseOfOthers() {
    fill(4);

    List<Rows.Row> seen =
        backend
            .pool("workers")
            .transact(
                rows -> {
                  rows.clear(TABLE.append(1));
                  rows.set(TABLE.append(2), bytes("two"));
                  rows.set(TABLE.append(9), bytes("nine"));
                  return rows.scan(TABLE, 10);
                });

    assertThat(values(seen)).containsExactly("0", "two", "3", "nine");
  }

  @Test
  void scanGoesOnBehindRowsThatTheTransitionHasCleared() {
    fill(10);

    List<Rows.Row> seen =
        backend
            .pool("workers")
            .transact(
                rows -> {
                  for (int i = 0; i < 5; i++) {
                    rows.clear(TABLE.append(i));
                  }
                  return rows.scan(TABLE, 3);
                });

    assertThat(values(seen)).containsExactly("5", "6", "7");
  }

  @Test
  void clearAllLeavesOtherTablesAndTheRowItself() {
    fill(3);
    set(TABLE, "table");
    set(Tuple.of("jobs2", 1), "other");
    store.transact(
        rows -> {
          rows.clearAll(TABLE);
          rows.set(TABLE.append(7), bytes("new"));
          return 0;
        });

    RowStore elsewhere = backend.pool("workers");
    assertThat(values(elsewhere.read(rows -> rows.scan(TABLE, 10)))).containsExactly("new");
    assertThat(get(elsewhere, TABLE)).contains("table");
    assertThat(get(elsewhere, Tuple.of("jobs2", 1))).contains("other");
  }

  @Test
  void getAllAndPeekFindThoseThatAreThere() {
    fill(5);
    RowStore elsewhere = backend.pool("workers");

    Map<Tuple, byte[]> found =
        elsewhere.read(rows -> rows.getAll(List.of(TABLE.append(1), TABLE.append(77))));
    List<Rows.Row> behind = elsewhere.read(rows -> rows.peek(TABLE, TABLE.append(2), 10));

    assertThat(found).containsOnlyKeys(TABLE.append(1));
    assertThat(values(behind)).containsExactly("3", "4");
  }

  @Test
  void bodyThatThrowsWritesNothing() {
    assertThatThrownBy(
            () ->
                store.transact(
                    rows -> {
                      rows.set(TABLE, bytes("1"));
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");

    assertThat(get(store, TABLE)).isEmpty();
  }

  @Test
  void exceptionThatComesFromAWrongGuessIsNotPassedOn() {
    set(TABLE, "there");
    RowStore ignorant = backend.pool("workers");

    String value = ignorant.transact(rows -> RedisNames.text(rows.get(TABLE).orElseThrow()));

    assertThat(value).isEqualTo("there");
  }

  @Test
  void transitionThatLostARaceRunsAgain() {
    fill(3);
    RowStore rival = backend.pool("workers");
    AtomicInteger runs = new AtomicInteger();
    List<String> seen =
        store.transact(
            rows -> {
              List<String> values = values(rows.scan(TABLE, 10));
              if (runs.incrementAndGet() == 2) {
                // The first run guesses; by now this one knows what there is.
                rival.transact(
                    others -> {
                      others.clear(TABLE.append(1));
                      return 0;
                    });
              }
              rows.set(Tuple.of("seen"), bytes("x"));
              return values;
            });

    assertThat(runs.get()).isGreaterThan(2);
    assertThat(seen).containsExactly("0", "2");
  }

  @Test
  void readSeesOneMomentAlsoWhenOthersOfThisProcessWrite() {
    Tuple a = TABLE.append("a");
    Tuple b = TABLE.append("b");
    RowStore elsewhere = backend.pool("workers");
    setBoth(elsewhere, a, b, "1");
    assertThat(get(store, a)).contains("1");
    AtomicInteger runs = new AtomicInteger();

    String seen =
        store.read(
            rows -> {
              if (runs.incrementAndGet() == 2) {
                setBoth(store, a, b, "2");
              }
              return Stream.of(a, b)
                  .map(key -> rows.get(key).map(RedisNames::text).orElse("-"))
                  .collect(Collectors.joining());
            });

    assertThat(seen).isIn("11", "22");
  }

  private static void setBoth(RowStore in, Tuple a, Tuple b, String value) {
    in.transact(
        rows -> {
          rows.set(a, bytes(value));
          rows.set(b, bytes(value));
          return 0;
        });
  }

  @Test
  void rowThatWentAndCameBackIsNotTheSame() {
    set(TABLE, "first");
    RowStore rival = backend.pool("workers");
    AtomicInteger runs = new AtomicInteger();
    store.transact(
        rows -> {
          Optional<byte[]> before = rows.get(TABLE);
          if (runs.incrementAndGet() == 1) {
            rival.transact(
                others -> {
                  others.clear(TABLE);
                  return 0;
                });
            rival.transact(
                others -> {
                  others.set(TABLE, bytes("first"));
                  return 0;
                });
          }
          rows.set(Tuple.of("seen"), before.orElseThrow());
          return 0;
        });

    assertThat(runs).hasValue(2);
  }

  @Test
  void manyAtATimeCountWithoutLosingOne() throws InterruptedException {
    int threads = 8;
    int each = 25;
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      RowStore own = i % 2 == 0 ? store : backend.pool("workers");
      running.add(
          Thread.startVirtualThread(
              () -> {
                for (int j = 0; j < each; j++) {
                  own.transact(
                      rows -> {
                        int count =
                            rows.get(TABLE).map(RedisNames::text).map(Integer::parseInt).orElse(0);
                        rows.set(TABLE, bytes("" + (count + 1)));
                        return 0;
                      });
                }
              }));
    }
    for (Thread thread : running) {
      assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
    }

    assertThat(get(store, TABLE)).contains("" + threads * each);
  }

  @Test
  void transitionOverKnownRowsIsOneRoundTrip() {
    fill(3);
    Tuple known = TABLE.append(1);
    store.transact(rows -> rows.get(known));
    AtomicInteger runs = new AtomicInteger();
    store.transact(
        rows -> {
          runs.incrementAndGet();
          rows.set(TABLE.append("new"), rows.get(known).orElseThrow());
          return rows.get(Tuple.of("never seen"));
        });

    assertThat(runs).hasValue(1);
  }

  @Test
  void listenerIsCalledAtTheBeginningAndWithEveryHint() throws InterruptedException {
    BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    RowStore elsewhere = backend.pool("workers");
    try (RowStore.Listening listening =
        store.onWake("n1", hint -> calls.add(RedisNames.text(hint)))) {
      assertThat(calls.poll(10, TimeUnit.SECONDS)).isEmpty();
      for (int i = 0; i < 20; i++) {
        String hint = "job-" + i;
        elsewhere.transact(
            rows -> {
              rows.wake("n1", bytes(hint));
              return 0;
            });
        assertThat(calls.poll(10, TimeUnit.SECONDS)).isEqualTo(hint);
      }
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void listenerIsToldToLookWhenItsConnectionWasCut() throws InterruptedException {
    BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    try (RowStore.Listening listening =
        store.onWake("n1", hint -> calls.add(RedisNames.text(hint)))) {
      assertThat(calls.poll(10, TimeUnit.SECONDS)).isEmpty();
      SERVER.server().command("CLIENT", "KILL", "TYPE", "pubsub");

      assertThat(calls.poll(10, TimeUnit.SECONDS)).isEmpty();
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void rowsOfATransactionAreRefusedWithAnAlternative() {
    assertThatThrownBy(() -> store.transactJoined((tx, rows) -> 0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("without one");
  }
}
