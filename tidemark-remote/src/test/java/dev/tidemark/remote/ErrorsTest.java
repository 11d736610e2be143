package dev.tidemark.remote;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.Watch;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.decorate.ForwardingTransaction;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of others when something fails with an {@link Error}, as where memory is short. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ErrorsTest {
  private static final Key A = Key.utf8("a");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final FaultyDatabase served = new FaultyDatabase(EmbeddedDatabase.inMemory());

  @AfterEach
  void close() {
    served.close();
  }

  private static final class Exhausted extends Error {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("thrown for the test");
    }
  }

  /** Whether somebody who asks for something gets an error, and how many have got one. */
  private static final class Fault {
    private final AtomicInteger thrown = new AtomicInteger();
    private volatile boolean on;

    void meet() {
      if (on) {
        thrown.incrementAndGet();
        throw new Exhausted();
      }
    }
  }

  /** A database whose calls fail on demand. */
  private static final class FaultyDatabase extends ForwardingDatabase {
    private final Fault begins = new Fault();
    private final Fault commits = new Fault();
    private final Fault sizes = new Fault();

    FaultyDatabase(Database delegate) {
      super(delegate);
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      begins.meet();
      return new ForwardingTransaction(super.begin(options)) {
        @Override
        public void commit() {
          commits.meet();
          super.commit();
        }
      };
    }

    @Override
    public long estimatedSize(KeyRange range) {
      sizes.meet();
      return super.estimatedSize(range);
    }
  }

  private DatabaseServer serve() {
    return DatabaseServer.open(served, o -> o.withSlowClientTimeout(Duration.ofSeconds(1)));
  }

  private static RemoteDatabase connect(DatabaseServer server) {
    return RemoteDatabase.connect(server.uri(), o -> o.withRequestTimeout(PATIENCE));
  }

  @Test
  void requestThatEndsWithAnErrorIsAnswered() {
    try (DatabaseServer server = serve();
        RemoteDatabase client = connect(server)) {
      served.sizes.on = true;
      assertThatThrownBy(() -> client.estimatedSize(KeyRange.startingWith(A)))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("thrown for the test");
      served.sizes.on = false;
      assertThat(client.estimatedSize(KeyRange.startingWith(A))).isNotNegative();
    }
  }

  @Test
  void commitThatEndsWithAnErrorIsAnsweredAsOneInDoubt() {
    try (DatabaseServer server = serve();
        RemoteDatabase client = connect(server);
        Transaction tx = client.begin()) {
      tx.set(A, new byte[1]);
      served.commits.on = true;
      StorageException failure = catchThrowableOfType(StorageException.class, tx::commit);
      assertThat(failure).hasMessageContaining("thrown for the test");
      assertThat(failure.maybeCommitted()).isTrue();
    }
  }

  @Test
  void watchThatCannotBeSetTellsItsWaiter() {
    try (DatabaseServer server = serve();
        RemoteDatabase client = connect(server)) {
      served.commits.on = true;
      try (Watch watch = client.transact(tx -> tx.watch(A))) {
        assertThatThrownBy(() -> watch.await(PATIENCE))
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("thrown for the test");
      }
      assertThat(server.statistics().watches()).isZero();
    }
  }

  @Test
  void serverLooksAfterItsClientsAfterAnErrorOfItsTimer() throws Exception {
    try (DatabaseServer server = serve()) {
      served.begins.on = true;
      eventually("the timer meets the error", () -> served.begins.thrown.get() > 0);
      served.begins.on = false;
      try (RawClient silent = RawClient.reading(server)) {
        assertThat(silent.end().getDescription()).contains("has not greeted");
      }
    }
  }

  /** A clock that fails on demand. */
  private static final class FaultyTime implements TimeSource {
    private final Fault readings = new Fault();

    @Override
    public long wallMicros() {
      return TimeSource.system().wallMicros();
    }

    @Override
    public long nanos() {
      readings.meet();
      return TimeSource.system().nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      TimeSource.system().sleep(duration);
    }
  }

  @Test
  void clientDoesNotWaitForEverAfterAnErrorOfItsTimer() {
    FaultyTime time = new FaultyTime();
    try (DatabaseServer server = serve();
        TcpProxy wire = TcpProxy.to(server);
        RemoteDatabase client =
            RemoteDatabase.connect(
                wire.uri(), o -> o.withTime(time).withRequestTimeout(Duration.ofSeconds(1)))) {
      time.readings.on = true;
      eventually("the timer meets the error", () -> time.readings.thrown.get() > 0);
      time.readings.on = false;
      wire.swallowReplies(true);
      try (Transaction tx = client.begin()) {
        assertThatThrownBy(() -> tx.get(A))
            .isInstanceOf(UnavailableException.class)
            .hasMessageContaining("did not answer within");
      }
    }
  }
}
