package dev.tidemark.remote;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.FindSplitPoints;
import dev.tidemark.remote.internal.wire.Mutation;
import dev.tidemark.remote.internal.wire.OpenReader;
import dev.tidemark.remote.internal.wire.Range;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.ScanRows;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that ask for much and take nothing: together they hold no more than there is. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class GreedyClientsTest {
  private static final long MIB = 1 << 20;
  private static final int DEAF = 20;
  private static final int SCANS = 50;
  private static final int ROWS = 500;
  private static final int BUSY = 20;
  private static final int COMMITS = 20;
  private static final KeyRange BIG = KeyRange.of(Key.utf8("big"), Key.utf8("bih"));

  /** Beyond the half for all, each may have four replies of 128 KiB under way. */
  private static final ServerOptions OPTIONS =
      ServerOptions.DEFAULTS.withBytes(32 * MIB).withClients(1_000);

  private final EmbeddedDatabase served = EmbeddedDatabase.inMemory();
  private final List<RawClient> clients = new ArrayList<>();

  @BeforeEach
  void writeMuch() {
    served.run(
        tx -> {
          for (int i = 0; i < ROWS; i++) {
            tx.set(Key.utf8("big%03d".formatted(i)), new byte[10_000]);
          }
        });
  }

  @AfterEach
  void close() {
    clients.forEach(RawClient::close);
    served.close();
  }

  @Test
  void othersAreServedWhileTheyHoldAllThatThereIs() {
    Duration never = Duration.ofMinutes(10);
    try (DatabaseServer server =
            DatabaseServer.open(served, o -> OPTIONS.withSlowClientTimeout(never));
        RemoteDatabase other = RemoteDatabase.connect(server.uri(), o -> o.withRowCacheBytes(0))) {
      connectDeaf(server);
      eventually("the half for all is taken", () -> held(server) >= 16 * MIB);
      for (int i = 0; i < 20; i++) {
        byte[] value = {(byte) i};
        other.run(tx -> tx.set(Key.utf8("a"), value));
        Optional<byte[]> read = other.read(tx -> tx.get(Key.utf8("a")));
        List<KeyValue> rows = other.read(tx -> tx.scan(BIG).list());
        assertThat(read).contains(value);
        assertThat(rows).hasSize(ROWS);
        assertThat(held(server)).isLessThan(32 * MIB);
      }
      eventually("most of it still is", () -> held(server) >= 12 * MIB);
      assertThat(server.statistics().clientsCutOff()).isZero();

      clients.forEach(RawClient::close);
      eventually("all is freed", () -> held(server) == 0 && server.statistics().clients() == 1);
    }
  }

  @Test
  void allIsFreedWhenTheyAreCutOff() {
    Duration soon = Duration.ofSeconds(2);
    try (DatabaseServer server =
        DatabaseServer.open(served, o -> OPTIONS.withSlowClientTimeout(soon))) {
      connectDeaf(server);
      eventually("they are cut off", () -> server.statistics().clientsCutOff() == DEAF);
      eventually(
          "all is freed",
          () -> held(server) == 0 && server.statistics().clients() + readers(server) == 0);
    }
  }

  @Test
  void clientsWithMuchAtWorkAreNotAskedForMoreAndOthersAre() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (DatabaseServer server =
            DatabaseServer.open(new Gated(served, gate), o -> OPTIONS.withPort(0));
        RemoteDatabase other = RemoteDatabase.connect(server.uri())) {
      try {
        for (int i = 0; i < BUSY; i++) {
          RawClient client = RawClient.reading(server).greet();
          clients.add(client);
          for (int commit = 0; commit < COMMITS; commit++) {
            client.send(bigCommit(10 + commit));
          }
        }
        eventually("the half for all is taken", () -> held(server) >= 16 * MIB);
        for (int i = 0; i < 20; i++) {
          byte[] value = {(byte) i};
          other.run(tx -> tx.set(Key.utf8("a"), value));
          assertThat(held(server)).isLessThan(32 * MIB);
        }
        eventually("most of it still is", () -> held(server) >= 12 * MIB);
      } finally {
        gate.countDown();
      }
      eventually(
          "all are carried out",
          () -> server.statistics().commits() == 20 + BUSY * COMMITS && held(server) == 0);
      clients.forEach(RawClient::close);
    }
  }

  /** Does not begin transactions that have a timeout before the gate is open. */
  private static final class Gated extends ForwardingDatabase {
    private final CountDownLatch gate;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger begunAtOnce = new AtomicInteger();

    Gated(Database database, CountDownLatch gate) {
      super(database);
      this.gate = gate;
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      if (options.timeout().isPresent()) {
        begun.incrementAndGet();
        await(gate);
      }
      if (!Thread.currentThread().isVirtual()) {
        begunAtOnce.incrementAndGet();
      }
      return super.begin(options);
    }
  }

  @Test
  void splitPointsAreFoundFewAtATime() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    Splitting splitting = new Splitting(served, gate);
    try (DatabaseServer server = DatabaseServer.open(splitting);
        RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      try {
        client.send(frameOf(200, GreedyClientsTest::splitAll));
        eventually("some are looked for", () -> splitting.running.get() >= 4);
        try (RemoteDatabase other = RemoteDatabase.connect(server.uri())) {
          other.run(tx -> tx.set(Key.utf8("a"), new byte[1]));
        }
      } finally {
        gate.countDown();
      }
      for (int i = 0; i < 200; i++) {
        assertThat(client.reply().getKeys().getKeysList()).isNotEmpty();
      }
      assertThat(splitting.most).hasValue(4);
    }
  }

  @Test
  void manySplitPointsComeInSeveralReplies() throws Exception {
    Splitting splitting = new Splitting(served, new CountDownLatch(0));
    try (DatabaseServer server = DatabaseServer.open(splitting);
        RemoteDatabase client = RemoteDatabase.connect(server.uri());
        RawClient raw = RawClient.reading(server).greet()) {
      raw.reply();
      raw.send(splitAll(2));
      assertThat(raw.reply().getSerializedSize()).isLessThan((int) (2 * MIB));
      assertThat(client.splitPoints(KeyRange.ALL, 1))
          .isEqualTo(splitting.splitPoints(KeyRange.ALL, 1));
    }
  }

  @Test
  void requestsOfAFrameBeyondTheLimitWait() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    Gated gated = new Gated(served, gate);
    ClientLimits few = ClientLimits.DEFAULTS.withRequests(5);
    try (DatabaseServer server = DatabaseServer.open(gated, o -> o.withClientLimits(few));
        RemoteDatabase other = RemoteDatabase.connect(server.uri());
        RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      try {
        client.send(frameOf(100, GreedyClientsTest::bigCommit));
        eventually("some are begun", () -> gated.begun.get() >= 5);
        other.run(tx -> tx.set(Key.utf8("a"), new byte[1]));
        assertThat(gated.begun).hasValue(5);
      } finally {
        gate.countDown();
      }
      for (int i = 0; i < 100; i++) {
        assertThat(client.reply().hasCommitted()).isTrue();
      }
    }
  }

  @Test
  void plainCommitsOfAFrameBeyondTheLimitAreCarriedOut() throws Exception {
    ClientLimits one = ClientLimits.DEFAULTS.withRequests(1);
    try (DatabaseServer server = DatabaseServer.open(served, o -> o.withClientLimits(one));
        RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(frameOf(1_000, GreedyClientsTest::plainCommit));
      for (int i = 0; i < 1_000; i++) {
        assertThat(client.reply().hasCommitted()).isTrue();
      }
    }
  }

  /** What holds a thread of the network is what is begun there. */
  @Test
  void bytesDoNotHoldTheThreadsOfTheNetwork() throws Exception {
    Gated gated = new Gated(served, new CountDownLatch(0));
    try (DatabaseServer server = DatabaseServer.open(gated);
        RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      int before = gated.begunAtOnce.get();
      client.send(frameOf(100, GreedyClientsTest::longCommit));
      for (int i = 0; i < 100; i++) {
        assertThat(client.reply().hasCommitted()).isTrue();
      }
      assertThat(gated.begunAtOnce.get() - before).isBetween(1, 10);

      before = gated.begunAtOnce.get();
      client.send(longRequest(10));
      assertThat(client.reply().hasReaderOpened()).isTrue();
      assertThat(gated.begunAtOnce).hasValue(before);
    }
  }

  private static Request[] frameOf(int count, LongFunction<Request> request) {
    return LongStream.range(10, 10 + count).mapToObj(request).toArray(Request[]::new);
  }

  /** Finds 1,000 points of 5,000 bytes each when the gate is open. */
  private static final class Splitting extends ForwardingDatabase {
    private final CountDownLatch gate;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    Splitting(Database database, CountDownLatch gate) {
      super(database);
      this.gate = gate;
    }

    @Override
    public List<Key> splitPoints(KeyRange range, long pieceBytes) {
      most.accumulateAndGet(running.incrementAndGet(), Math::max);
      await(gate);
      running.decrementAndGet();
      List<Key> points = new ArrayList<>();
      points.add(range.begin());
      for (int i = 0; i < 1_000; i++) {
        Key point = Key.utf8("%05000d".formatted(i));
        if (range.begin().compareTo(point) < 0) {
          points.add(point);
        }
      }
      points.add(range.end());
      return points;
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      assertThat(gate.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException interrupt) {
      throw new AssertionError("Nobody interrupts it", interrupt);
    }
  }

  private static Request splitAll(long id) {
    FindSplitPoints find =
        FindSplitPoints.newBuilder()
            .setRange(Range.newBuilder().setEnd(ByteString.copyFrom(new byte[] {-1})))
            .setPieceBytes(1)
            .build();
    return Request.newBuilder().setId(id).setFindSplitPoints(find).build();
  }

  private static Request plainCommit(long id) {
    return commit(id, 100);
  }

  private static Request longCommit(long id) {
    return commit(id, 60_000);
  }

  private static Request commit(long id, int bytes) {
    CommitWrites commit =
        CommitWrites.newBuilder()
            .addMutations(
                Mutation.newBuilder()
                    .setKey(ByteString.copyFromUtf8("k" + id))
                    .setOperand(ByteString.copyFrom(new byte[bytes])))
            .build();
    return Request.newBuilder().setId(id).setCommitWrites(commit).build();
  }

  /** Opens a reader, and has much in a field that nobody knows. */
  private static Request longRequest(long id) {
    UnknownFieldSet.Field much =
        UnknownFieldSet.Field.newBuilder()
            .addLengthDelimited(ByteString.copyFrom(new byte[100_000]))
            .build();
    return Request.newBuilder()
        .setId(id)
        .setOpenReader(OpenReader.newBuilder().setReader(1))
        .setUnknownFields(UnknownFieldSet.newBuilder().addField(99, much).build())
        .build();
  }

  private static Request bigCommit(long id) {
    CommitWrites.Builder commit =
        CommitWrites.newBuilder().setTimeoutNanos(Duration.ofMinutes(1).toNanos());
    for (String key : List.of("x", "y")) {
      commit.addMutations(
          Mutation.newBuilder()
              .setKey(ByteString.copyFromUtf8(key))
              .setOperand(ByteString.copyFrom(new byte[90_000])));
    }
    return Request.newBuilder().setId(id).setCommitWrites(commit).build();
  }

  private static long held(DatabaseServer server) {
    return server.statistics().bytesHeld();
  }

  private static long readers(DatabaseServer server) {
    return server.statistics().readers();
  }

  private void connectDeaf(DatabaseServer server) {
    for (int i = 0; i < DEAF; i++) {
      RawClient client = RawClient.deaf(server).greet();
      clients.add(client);
      client.send(Request.newBuilder().setOpenReader(OpenReader.newBuilder().setReader(1)).build());
      for (int scan = 0; scan < SCANS; scan++) {
        client.send(scan(10 + scan));
      }
    }
  }

  private static Request scan(long id) {
    return Request.newBuilder()
        .setId(id)
        .setScanRows(
            ScanRows.newBuilder()
                .setReader(1)
                .setBegin(ByteString.copyFrom(BIG.begin().toByteArray()))
                .setEnd(ByteString.copyFrom(BIG.end().toByteArray()))
                .setRows(Integer.MAX_VALUE)
                .setBytes(Integer.MAX_VALUE))
        .build();
  }
}
