package dev.tidemark.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.tuple.Tuple;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link RowStore} keeps, whatever it is on. */
public abstract class RowStoreContract {
  private static final Tuple TABLE = Tuple.of("jobs");

  private RowStore store;

  /** An empty store; closed by {@link #close}. */
  protected abstract RowStore open();

  @BeforeEach
  void openStore() {
    store = open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static byte[] bytes(int value) {
    return new byte[] {(byte) value};
  }

  private void fill(int count) {
    store.transact(
        rows -> {
          for (int i = 0; i < count; i++) {
            rows.set(TABLE.append(i), bytes(i));
          }
          return count;
        });
  }

  private void addTen(Tuple key) {
    for (int i = 0; i < 10; i++) {
      store.transact(
          rows -> {
            rows.add(key, 1);
            return 0;
          });
    }
  }

  private Optional<byte[]> get(Tuple key) {
    return store.read(rows -> rows.get(key));
  }

  private Map<Tuple, byte[]> all(List<Tuple> keys) {
    return store.read(rows -> rows.getAll(keys));
  }

  private List<Rows.Row> peek(Tuple after, int limit) {
    return store.read(rows -> rows.peek(TABLE, after, limit));
  }

  @Test
  void transitionSeesItsOwnWrites() {
    List<Rows.Row> seen =
        store.transact(
            rows -> {
              rows.set(TABLE.append("b"), bytes(2));
              rows.set(TABLE.append("a"), bytes(1));
              return rows.scan(TABLE, 10);
            });

    assertThat(seen)
        .extracting(Rows.Row::key)
        .containsExactly(TABLE.append("a"), TABLE.append("b"));
  }

  @Test
  void getAllFindsThoseThatAreThere() {
    fill(2);

    assertThat(all(List.of(TABLE.append(1), TABLE.append(7)))).containsOnlyKeys(TABLE.append(1));
  }

  @Test
  void peekGoesOnBehindARow() {
    fill(5);

    assertThat(peek(TABLE, 2))
        .extracting(Rows.Row::key)
        .containsExactly(TABLE.append(0), TABLE.append(1));
    assertThat(peek(TABLE.append(1), 10))
        .extracting(Rows.Row::key)
        .containsExactly(TABLE.append(2), TABLE.append(3), TABLE.append(4));
  }

  @Test
  void clearAllLeavesOtherTables() {
    fill(3);
    store.transact(
        rows -> {
          rows.set(Tuple.of("other"), bytes(1));
          rows.clearAll(TABLE);
          return 0;
        });

    assertThat(peek(TABLE, 10)).isEmpty();
    assertThat(get(Tuple.of("other"))).isPresent();
  }

  @Test
  void bodyThatThrowsWritesNothing() {
    assertThatThrownBy(
            () ->
                store.transact(
                    rows -> {
                      rows.set(TABLE, bytes(1));
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");

    assertThat(get(TABLE)).isEmpty();
  }

  @Test
  void transitionThatLostARaceRunsAgain() {
    AtomicInteger runs = new AtomicInteger();
    int found =
        store.transact(
            rows -> {
              boolean empty = rows.scan(TABLE, 10).isEmpty();
              if (runs.incrementAndGet() == 1) {
                fill(1);
              }
              rows.set(Tuple.of("seen"), bytes(1));
              return empty ? 0 : 1;
            });

    assertThat(runs).hasValue(2);
    assertThat(found).isEqualTo(1);
  }

  @Test
  void getOfAScannedTableConflictsWithARemoval() {
    fill(3);
    AtomicInteger runs = new AtomicInteger();
    int found =
        store.transact(
            rows -> {
              int count = rows.scan(TABLE, 10).size();
              if (runs.incrementAndGet() == 1) {
                store.transact(
                    others -> {
                      others.clear(TABLE.append(1));
                      return 0;
                    });
              }
              rows.set(Tuple.of("count"), bytes(count));
              return count;
            });

    assertThat(runs).hasValue(2);
    assertThat(found).isEqualTo(2);
  }

  @Test
  void ownRemovalsAndWritesAreInAScan() {
    fill(5);
    List<Rows.Row> seen =
        store.transact(
            rows -> {
              rows.clear(TABLE.append(0));
              rows.set(TABLE.append(1), bytes(9));
              return rows.scan(TABLE, 2);
            });

    assertThat(seen).extracting(Rows.Row::key).containsExactly(TABLE.append(1), TABLE.append(2));
    assertThat(seen.getFirst().value()).containsExactly(9);
  }

  @Test
  void countersAddUpWhoeverAdds() throws InterruptedException {
    List<Thread> adders =
        IntStream.range(0, 4)
            .mapToObj(i -> Thread.startVirtualThread(() -> addTen(Tuple.of("sum"))))
            .toList();
    for (Thread adder : adders) {
      adder.join();
    }

    assertThat(Rows.counter(get(Tuple.of("sum")).orElseThrow())).isEqualTo(40);
  }

  @Test
  void listenerIsCalledAtTheBeginningAndAfterEveryWakeUp() throws InterruptedException {
    Semaphore calls = new Semaphore(0);
    try (RowStore.Listening listening = store.onWake("n1", hint -> calls.release())) {
      assertThat(calls.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 20; i++) {
        calls.drainPermits();
        store.transact(
            rows -> {
              rows.wake("n1", RowStore.NO_HINT);
              return 0;
            });
        assertThat(calls.tryAcquire(30, TimeUnit.SECONDS)).as("call %d", i).isTrue();
      }
      assertThat(listening).isNotNull();
    }
  }
}
