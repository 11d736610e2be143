package dev.tidemark.remote;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.Role;
import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Watch;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.Failure;
import dev.tidemark.remote.internal.wire.Mutation;
import dev.tidemark.remote.internal.wire.OpenReader;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.SettleCommit;
import dev.tidemark.remote.internal.wire.Settled;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Connections that are cut, and servers that go away and come back. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LostConnectionTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Key A = Key.utf8("a");
  private static final int THREADS = 8;
  private static final int TRANSFERS = 100;
  private static final int ACCOUNTS = 20;
  private static final long DEPOSIT = 1_000;

  private final EmbeddedDatabase served = EmbeddedDatabase.inMemory();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private DatabaseServer server = DatabaseServer.open(served);

  @AfterEach
  void close() {
    threads.shutdownNow();
    server.close();
    served.close();
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  private long stored(Key key) {
    return served
        .read(tx -> tx.get(key))
        .map(bytes -> ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .orElse(0L);
  }

  /** A second server of the store; what stands between the two knows nothing of ids. */
  private DatabaseServer openWithoutIds() {
    return DatabaseServer.open(FaultyDatabase.over(served, FaultPlan.none()));
  }

  /** Loses the reply to a commit that has been made. */
  private static void loseReply(TcpProxy wire) {
    // In this order: it may be on its way only now, and must not arrive.
    wire.cut();
    wire.swallowReplies(false);
  }

  private void reopenServer() {
    int port = server.port();
    server.close();
    server = DatabaseServer.open(served, o -> o.withPort(port));
  }

  @Test
  void threadThatIsInterruptedWhileItConnectsIsToldSo() {
    Thread.currentThread().interrupt();

    Throwable failure = catchThrowable(() -> RemoteDatabase.connect(server.uri()).close());

    assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
    assertThat(failure).isInstanceOf(InterruptedOperationException.class);
  }

  @Test
  void clientGoesOnWhenTheServerIsThereAgain() {
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      client.run(tx -> tx.set(A, number(1)));
      reopenServer();
      Optional<byte[]> read = client.read(tx -> tx.get(A));
      assertThat(read).contains(number(1));
      client.run(tx -> tx.set(A, number(2)));
      assertThat(stored(A)).isEqualTo(2);
    }
  }

  @Test
  void blindWriteSucceedsAfterTheDatabaseWasOpenedAgain() {
    // Its clock hardly moves, so that the client takes the version of its last commit for recent.
    ManualTime clock = ManualTime.selfAdvancing();
    try (RemoteDatabase client =
        RemoteDatabase.connect(
            server.uri(), o -> o.withTime(clock).withMaxReconnectDelay(Duration.ZERO))) {
      client.run(tx -> tx.set(A, number(1)));
      int port = server.port();
      server.close();
      try (EmbeddedDatabase again = EmbeddedDatabase.inMemory()) {
        server = DatabaseServer.open(again, o -> o.withPort(port));
        client.run(tx -> tx.set(A, number(2)));
        server.close();
      }
    }
  }

  @Test
  void transactionThatWasReadingMustStartAgain() {
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri());
        Transaction tx = client.begin()) {
      tx.get(A);
      reopenServer();
      UnavailableException failure =
          catchThrowableOfType(UnavailableException.class, () -> tx.get(A));
      assertThat(failure).hasMessageContaining(server.uri().toString());
      assertThat(failure.retryable()).isTrue();
    }
  }

  @Test
  void commitGoesOverANewConnectionWithTheReadsOfAnOldOne() {
    try (TcpProxy wire = TcpProxy.to(server);
        RemoteDatabase client = RemoteDatabase.connect(wire.uri());
        Transaction fresh = client.begin();
        Transaction stale = client.begin()) {
      fresh.get(Key.utf8("b"));
      fresh.readVersion();
      stale.get(A);
      stale.readVersion();
      served.run(tx -> tx.set(A, number(1)));
      wire.cut();
      client.read(tx -> tx.get(A));
      fresh.set(Key.utf8("c"), number(1));
      fresh.commit();
      stale.set(Key.utf8("d"), number(1));
      assertThatThrownBy(stale::commit).isInstanceOf(dev.tidemark.kv.ConflictException.class);
    }
  }

  @Test
  void requestsWaitForTheServerOnlySoLong() {
    Duration timeout = Duration.ofMillis(200);
    try (RemoteDatabase client =
        RemoteDatabase.connect(server.uri(), o -> o.withRequestTimeout(timeout))) {
      URI address = server.uri();
      server.close();
      try (Transaction tx = client.begin()) {
        assertThatThrownBy(() -> tx.get(A))
            .isInstanceOf(UnavailableException.class)
            .hasMessageContaining(address.toString());
      }
      try (Transaction tx = client.begin()) {
        tx.set(A, number(1));
        assertThatThrownBy(tx::commit)
            .isInstanceOf(UnavailableException.class)
            .hasMessageContaining("nothing was sent");
      }
    }
  }

  @Test
  void runGivesUpAServerThatIsAwayAfterThreeWaits() {
    Duration timeout = Duration.ofMillis(200);
    AtomicInteger attempts = new AtomicInteger();
    try (RemoteDatabase client =
        RemoteDatabase.connect(server.uri(), o -> o.withRequestTimeout(timeout))) {
      server.close();
      assertThatThrownBy(
              () ->
                  client.run(
                      tx -> {
                        attempts.incrementAndGet();
                        tx.set(A, number(1));
                      }))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("nothing was sent");
      assertThat(attempts).hasValueBetween(3, 4); // The first may still meet the old connection.
      attempts.set(0);
      assertThatThrownBy(
              () ->
                  client.read(
                      tx -> {
                        attempts.incrementAndGet();
                        return tx.get(A);
                      }))
          .isInstanceOf(UnavailableException.class);
      assertThat(attempts).hasValue(3);
    }
  }

  @Test
  void runGivesUpAServerThatDoesNotAnswerAfterThreeWaits() {
    Duration timeout = Duration.ofMillis(300);
    AtomicInteger attempts = new AtomicInteger();
    try (TcpProxy wire = TcpProxy.to(server);
        RemoteDatabase client =
            RemoteDatabase.connect(wire.uri(), o -> o.withRequestTimeout(timeout))) {
      CommitUnknownException doubt =
          catchThrowableOfType(
              CommitUnknownException.class,
              () ->
                  client.run(
                      tx -> {
                        attempts.incrementAndGet();
                        tx.readVersion();
                        wire.swallowReplies(true);
                        tx.set(A, number(1));
                      }));
      assertThat(doubt.getSuppressed()).hasOnlyElementsOfType(UnavailableException.class);
      assertThat(attempts).hasValue(1);
      attempts.set(0);
      assertThatThrownBy(
              () ->
                  client.read(
                      tx -> {
                        attempts.incrementAndGet();
                        return tx.get(A);
                      }))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("did not answer within");
      assertThat(attempts).hasValue(3);
    }
  }

  @Test
  void serverThatRefusesTheClientIsNotWaitedForButTakenWhenItDoesNot() {
    try (RemoteDatabase client =
        RemoteDatabase.connect(server.uri(), o -> o.withRequestTimeout(Duration.ofMinutes(1)))) {
      int port = server.port();
      server.close();
      server =
          DatabaseServer.open(served, o -> o.withPort(port).withToken("open-sesame", Role.WRITE));
      assertThatThrownBy(() -> client.run(tx -> tx.set(A, number(1))))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("refuses this client");
      reopenServer();
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (catchThrowable(() -> client.run(tx -> tx.set(A, number(2)))) != null) {
        assertThat(System.nanoTime()).as("time").isLessThan(deadline);
      }
      assertThat(stored(A)).isEqualTo(2);
    }
  }

  @Test
  void commitIsNotSentWhenItsTimeWasUsedUpByTheWaitForTheServer() throws Exception {
    ManualTime clock = ManualTime.selfAdvancing();
    try (RemoteDatabase client =
            RemoteDatabase.connect(
                server.uri(), o -> o.withTime(clock).withMaxReconnectDelay(Duration.ZERO));
        Transaction tx = client.begin(withTimeout(Duration.ofMinutes(1)))) {
      tx.set(A, number(1));
      int port = server.port();
      server.close();
      CompletableFuture<Object> result = new CompletableFuture<>();
      Thread committer =
          Thread.ofPlatform().daemon().start(() -> result.complete(catchThrowable(tx::commit)));
      while (committer.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      clock.advance(Duration.ofMinutes(2));
      server = DatabaseServer.open(served, o -> o.withPort(port));
      assertThat(result.get(20, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              TransactionTimedOutException.class,
              failure -> assertThat(failure.maybeCommitted()).isFalse());
      assertThat(stored(A)).isZero();
    }
  }

  private static TransactionOptions withTimeout(Duration timeout) {
    return TransactionOptions.DEFAULTS.withTimeout(timeout);
  }

  @Test
  void serverThatDoesNotAnswerIsNotWaitedForForEver() {
    Duration timeout = Duration.ofMillis(300);
    try (TcpProxy wire = TcpProxy.to(server);
        RemoteDatabase client =
            RemoteDatabase.connect(wire.uri(), o -> o.withRequestTimeout(timeout))) {
      wire.swallowReplies(true);
      try (Transaction tx = client.begin()) {
        assertThatThrownBy(() -> tx.get(A))
            .isInstanceOf(UnavailableException.class)
            .hasMessageContaining("did not answer within");
      }
      try (Transaction tx = client.begin()) {
        tx.set(A, number(1));
        assertThatThrownBy(tx::commit).isInstanceOf(CommitUnknownException.class);
      }
    }
  }

  @Test
  void commitWhoseReplyIsLostIsUnknown() throws Exception {
    try (TcpProxy wire = TcpProxy.to(server);
        RemoteDatabase client = RemoteDatabase.connect(wire.uri());
        Watch changed = served.transact(tx -> tx.watch(A));
        Transaction tx = client.begin()) {
      tx.set(A, number(1));
      wire.swallowReplies(true);
      Future<?> commit = threads.submit(tx::commit);
      assertThat(changed.await(PATIENCE)).isTrue();
      wire.cut();
      assertThatThrownBy(() -> commit.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(CommitUnknownException.class)
          .hasMessageContaining("tidemark://127.0.0.1");
    }
  }

  @Test
  void commitWhoseReplyIsLostIsFoundByItsIdAndNotMadeTwice() throws Exception {
    addOnceThoughTheReplyIsLost(server);
  }

  @Test
  void commitWhoseReplyIsLostIsFoundOnAStoreThatKeepsNoIds() throws Exception {
    try (DatabaseServer other = openWithoutIds()) {
      addOnceThoughTheReplyIsLost(other);
    }
  }

  private void addOnceThoughTheReplyIsLost(DatabaseServer asked) throws Exception {
    try (TcpProxy wire = TcpProxy.to(asked);
        RemoteDatabase client = RemoteDatabase.connect(wire.uri());
        Watch changed = served.transact(tx -> tx.watch(A))) {
      client.read(tx -> tx.get(A));
      Future<?> commit =
          threads.submit(
              () ->
                  client.run(
                      tx -> {
                        tx.readVersion();
                        wire.swallowReplies(true);
                        tx.mutate(MutationType.ADD, A, number(1));
                      }));
      assertThat(changed.await(PATIENCE)).isTrue();
      loseReply(wire);
      commit.get(20, TimeUnit.SECONDS);
      assertThat(stored(A)).isEqualTo(1);
      assertThat(asked.statistics().commitsSettled()).isPositive();
    }
  }

  @Test
  void commitThatComesAfterItsIdWasSettledIsRefused() throws Exception {
    assertRefusedOnceSettled(server);
  }

  @Test
  void commitThatComesAfterItsIdWasSettledIsRefusedByAStoreThatKeepsNoIds() throws Exception {
    try (DatabaseServer other = openWithoutIds()) {
      assertRefusedOnceSettled(other);
    }
  }

  private void assertRefusedOnceSettled(DatabaseServer asked) throws Exception {
    ByteString id = ByteString.copyFromUtf8("0123456789abcdef");
    try (RawClient client = RawClient.reading(asked).greet()) {
      client.reply();
      OpenReader reader = OpenReader.newBuilder().setReader(7).build();
      client.send(Request.newBuilder().setId(2).setOpenReader(reader).build());
      long version = client.reply().getReaderOpened().getVersion();
      SettleCommit settle = SettleCommit.newBuilder().setId(id).setVersion(version).build();
      client.send(Request.newBuilder().setId(3).setSettleCommit(settle).build());
      assertThat(client.reply().getSettled().getFate()).isEqualTo(Settled.Fate.NOT_COMMITTED);
      Mutation set = Mutation.newBuilder().setKey(ByteString.copyFromUtf8("a")).build();
      CommitWrites late =
          CommitWrites.newBuilder().setReadVersion(version).addMutations(set).setId(id).build();
      client.send(Request.newBuilder().setId(4).setCommitWrites(late).build());
      assertThat(client.reply().getFailure().getKind()).isEqualTo(Failure.Kind.CONFLICT);
      assertThat(stored(A)).isZero();
    }
  }

  @ParameterizedTest
  @SeedSource(count = 2)
  void clientFindsOutWhatTheServerDoesNotKnowEither(long seed) {
    FaultPlan plan =
        FaultPlan.random(
            seed,
            0.4,
            Fault.UNKNOWN_COMMITTED,
            Fault.UNKNOWN_NOT_COMMITTED,
            Fault.UNKNOWN_ON_ITS_WAY);
    try (DatabaseServer other = DatabaseServer.open(FaultyDatabase.over(served, plan));
        RemoteDatabase client = RemoteDatabase.connect(other.uri())) {
      for (int i = 0; i < 50; i++) {
        client.run(tx -> tx.mutate(MutationType.ADD, A, number(1)));
      }
      assertThat(stored(A)).as("seed %d", seed).isEqualTo(50);
    }
  }

  @Test
  void watchOfACommitThatIsFoundByItsIdWakesItsWaiter() throws Exception {
    try (TcpProxy wire = TcpProxy.to(server);
        RemoteDatabase client = RemoteDatabase.connect(wire.uri());
        Watch changed = served.transact(tx -> tx.watch(A))) {
      client.read(tx -> tx.get(A));
      Future<Watch> commit =
          threads.submit(
              () ->
                  client.transact(
                      tx -> {
                        Watch watch = tx.watch(Key.utf8("other"));
                        wire.swallowReplies(true);
                        tx.set(A, number(1));
                        return watch;
                      }));
      assertThat(changed.await(PATIENCE)).isTrue();
      loseReply(wire);
      assertThat(commit.get(20, TimeUnit.SECONDS).await(PATIENCE)).isTrue();
    }
  }

  @Test
  void watchGoesOnOverANewConnection() {
    try (TcpProxy wire = TcpProxy.to(server);
        RemoteDatabase client = RemoteDatabase.connect(wire.uri());
        Watch quiet = client.transact(tx -> tx.watch(Key.utf8("quiet")));
        Watch watch = client.transact(tx -> tx.watch(A))) {
      wire.cut();
      client.read(tx -> tx.get(A));
      served.run(tx -> tx.set(A, number(1)));
      assertThat(watch.await(PATIENCE)).isTrue();
      assertThat(quiet.fired()).isFalse();
    }
  }

  @Test
  void watchThatIsClosedWhileDisconnectedIsNotAskedForAgain() {
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri());
        Watch kept = client.transact(tx -> tx.watch(Key.utf8("kept")))) {
      Watch closed = client.transact(tx -> tx.watch(A));
      int port = server.port();
      server.close();
      closed.close();
      server = DatabaseServer.open(served, o -> o.withPort(port));
      client.read(tx -> tx.get(A));
      eventually("the other is asked for", () -> served.statistics().watches() == 1);
      served.run(tx -> tx.set(Key.utf8("kept"), number(1)));
      assertThat(kept.await(PATIENCE)).isTrue();
      assertThat(server.statistics().watches()).isZero();
    }
  }

  @Test
  void changeWhileDisconnectedFiresAWatch() {
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri());
        Watch watch = client.transact(tx -> tx.watch(A))) {
      int port = server.port();
      server.close();
      served.run(tx -> tx.set(A, number(1)));
      server = DatabaseServer.open(served, o -> o.withPort(port));
      assertThat(watch.await(PATIENCE)).isTrue();
    }
  }

  @ParameterizedTest
  @SeedSource(count = 2)
  void transfersAreMadeOnceThoughConnectionsAreCutAtRandomMoments(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    served.run(tx -> forEachAccount(account -> tx.set(account, number(DEPOSIT))));
    try (TcpProxy wire = TcpProxy.to(server, () -> nextBudget(random));
        RemoteDatabase client =
            RemoteDatabase.connect(
                wire.uri(), o -> o.withMaxReconnectDelay(Duration.ofMillis(20)))) {
      List<Future<?>> workers = new ArrayList<>();
      for (int worker = 0; worker < THREADS; worker++) {
        Key count = Key.utf8("count" + worker);
        SplittableRandom own = random.split();
        workers.add(threads.submit(() -> transfer(client, count, own)));
      }
      for (Future<?> worker : workers) {
        worker.get(100, TimeUnit.SECONDS);
      }
      assertThat(wire.cuts()).as("connections cut").isPositive();
    }
    long[] sum = new long[1];
    forEachAccount(account -> sum[0] += stored(account));
    assertThat(sum[0]).isEqualTo(ACCOUNTS * DEPOSIT);
    for (int worker = 0; worker < THREADS; worker++) {
      assertThat(stored(Key.utf8("count" + worker))).isEqualTo(TRANSFERS);
    }
  }

  /** The greetings fit, so that work goes on. */
  private static synchronized long nextBudget(SplittableRandom random) {
    return 2_000 + random.nextLong(20_000);
  }

  private static void forEachAccount(java.util.function.Consumer<Key> action) {
    for (int i = 0; i < ACCOUNTS; i++) {
      action.accept(account(i));
    }
  }

  private static Key account(int number) {
    return Key.utf8("account%02d".formatted(number));
  }

  private static void transfer(RemoteDatabase client, Key count, SplittableRandom random) {
    for (int i = 0; i < TRANSFERS; i++) {
      Key from = account(random.nextInt(ACCOUNTS));
      Key to = account(random.nextInt(ACCOUNTS));
      long amount = random.nextLong(10);
      client
          .with(o -> TransactionOptions.DEFAULTS.withRetryLimit(10_000))
          .run(
              tx -> {
                add(tx, from, -amount);
                add(tx, to, amount);
                tx.mutate(MutationType.ADD, count, number(1));
              });
    }
  }

  private static void add(Transaction tx, Key account, long amount) {
    byte[] balance = tx.get(account).orElseThrow();
    long before = ByteBuffer.wrap(balance).order(ByteOrder.LITTLE_ENDIAN).getLong();
    tx.set(account, number(before + amount));
  }
}
