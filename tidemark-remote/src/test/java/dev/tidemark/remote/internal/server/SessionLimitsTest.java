package dev.tidemark.remote.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.spi.KeyWatch;
import dev.tidemark.remote.internal.client.ClientWatches;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.WatchKey;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions that have as many readers and watches as they may. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SessionLimitsTest {
  private static final Key A = Key.utf8("a");
  private static final WatchKey WATCH_A =
      WatchKey.newBuilder().setKey(ByteString.copyFromUtf8("a")).build();

  private final EmbeddedDatabase served = EmbeddedDatabase.inMemory();
  private final LongAdder count = new LongAdder();

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void readersThatAreRefusedAreNotKeptWithoutLimit() {
    Readers readers = new Readers(served, 2, count);
    for (int number = 1; number <= 2; number++) {
      readers.open(number, 0);
    }
    for (int number = 3; number < 100; number++) {
      int refused = number;
      assertThatThrownBy(() -> readers.open(refused, 0)).isInstanceOf(UnavailableException.class);
    }
    assertThat(count.sum()).isEqualTo(4);
    assertThatThrownBy(() -> readers.find(3)).hasMessageContaining("ClientLimits.readers");
    readers.closeAll();
    assertThat(count.sum()).isZero();
  }

  /** Else a transaction would commit as of a version that it has not read. */
  @Test
  void readerThatWasTooLongOpenIsNotOpenedAnewUnderItsNumber() {
    ManualTime time = ManualTime.standing();
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      Readers readers = new Readers(database, 1, count);
      long version = readers.open(1, 0);
      assertThat(readers.open(1, 0)).isEqualTo(version);
      time.advance(Duration.ofSeconds(6));
      readers.open(2, 0);

      assertThatThrownBy(() -> readers.open(1, 0)).isInstanceOf(TransactionTooOldException.class);
      readers.release(1);
      readers.closeAll();
    }
  }

  @Test
  void placeOfAWatchIsFreeBeforeTheClientKnowsThatItFired() throws Exception {
    BlockingQueue<Long> openAtReply = new LinkedBlockingQueue<>();
    ServedWatches watches =
        new ServedWatches(served, 1, count, reply -> openAtReply.add(count.sum()));
    watches.add(1, WATCH_A, () -> {});
    served.run(tx -> tx.set(A, new byte[] {1}));
    assertThat(openAtReply.poll(20, TimeUnit.SECONDS)).isZero();
    watches.closeAll();
  }

  @Test
  void watchThatIsAskedForTwiceTakesOnePlace() {
    ServedWatches watches = new ServedWatches(served, 1, count, reply -> {});
    watches.add(1, WATCH_A, () -> {});
    watches.add(1, WATCH_A, () -> {});
    assertThatThrownBy(() -> watches.add(2, WATCH_A, () -> {}))
        .isInstanceOf(LimitExceededException.class);
    watches.closeAll();
  }

  @Test
  void watchIsWorkUntilTheValueWasCompared() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch compared = new CountDownLatch(1);
    Database gated =
        new ForwardingDatabase(served) {
          @Override
          public Transaction begin(TransactionOptions options) {
            try {
              assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupt) {
              throw new AssertionError("Nobody interrupts it", interrupt);
            }
            return super.begin(options);
          }
        };
    ServedWatches watches = new ServedWatches(gated, 1, count, reply -> {});
    watches.add(1, WATCH_A, compared::countDown);
    assertThat(compared.getCount()).isEqualTo(1);
    gate.countDown();
    assertThat(compared.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(count.sum()).isEqualTo(1);
    watches.closeAll();
  }

  @Test
  void watchThatIsClosedWhileItIsSetGivesItsPlaceBackAtOnce() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch setting = new CountDownLatch(1);
    CountDownLatch compared = new CountDownLatch(1);
    Database gated =
        new ForwardingDatabase(served) {
          @Override
          public Transaction begin(TransactionOptions options) {
            return waitingInCommit(super.begin(options), setting, gate);
          }
        };
    ServedWatches watches = new ServedWatches(gated, 1, count, reply -> {});
    watches.add(1, WATCH_A, compared::countDown);
    assertThat(setting.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(served.statistics().watches()).isEqualTo(1);
    try {
      watches.remove(1);
      assertThat(served.statistics().watches()).isZero();
    } finally {
      gate.countDown();
    }
    assertThat(compared.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(served.statistics().watches()).isZero();
  }

  private static Transaction waitingInCommit(
      Transaction tx, CountDownLatch begun, CountDownLatch gate) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("commit")) {
            begun.countDown();
            assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
          }
          return method.invoke(tx, arguments);
        };
    Class<Transaction> type = Transaction.class;
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void watchThatIsRefusedIsNoWork() {
    ServedWatches watches = new ServedWatches(served, 0, count, reply -> {});
    CountDownLatch compared = new CountDownLatch(1);
    assertThatThrownBy(() -> watches.add(1, WATCH_A, compared::countDown))
        .isInstanceOf(LimitExceededException.class);
    assertThat(compared.getCount()).isZero();
  }

  @Test
  void clientTellsTheServerOfAClosedWatchBeforeItAsksForAnother() {
    List<Request> sent = new ArrayList<>();
    List<ClientWatches> self = new ArrayList<>();
    List<Throwable> refusals = new ArrayList<>();
    ClientWatches watches =
        new ClientWatches(
            new AtomicLong()::incrementAndGet,
            request -> {
              if (request.hasUnwatchKey()) {
                try {
                  self.getFirst().create(A, null, 1);
                } catch (LimitExceededException full) {
                  refusals.add(full);
                }
              }
              sent.add(request);
            });
    self.add(watches);
    KeyWatch watch = watches.create(A, null, 1);
    watches.activate(watch);
    watch.close();
    assertThat(sent).hasSize(2);
    assertThat(refusals).hasSize(1);
    watches.create(A, null, 1).close();
  }

  /**
   * The server knows no watch of that number when it is told, and would keep the one that comes.
   */
  @Test
  void clientTellsTheServerOfAWatchThatWasClosedWhileItWasAskedFor() {
    List<Request> sent = new ArrayList<>();
    List<KeyWatch> made = new ArrayList<>();
    ClientWatches watches =
        new ClientWatches(
            new AtomicLong()::incrementAndGet,
            request -> {
              if (request.hasWatchKey()) {
                made.forEach(KeyWatch::close);
              }
              sent.add(request);
            });
    made.add(watches.create(A, null, 1));
    watches.activate(made.getFirst());
    assertThat(sent.getLast().getUnwatchKey().getWatch()).isEqualTo(1);

    sent.clear();
    made.clear();
    KeyWatch again = watches.create(A, null, 1);
    watches.activate(again);
    made.add(again);
    watches.askForAll();
    assertThat(sent.getLast().getUnwatchKey().getWatch()).isEqualTo(2);
  }
}
