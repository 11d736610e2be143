package dev.tidemark.remote;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.Mutation;
import dev.tidemark.remote.internal.wire.OpenReader;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.ScanRows;
import dev.tidemark.testkit.ForwardingDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    Gated(Database database, CountDownLatch gate) {
      super(database);
      this.gate = gate;
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      if (!options.timeout().isZero()) {
        try {
          assertThat(gate.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException interrupt) {
          throw new AssertionError("Nobody interrupts it", interrupt);
        }
      }
      return super.begin(options);
    }
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
