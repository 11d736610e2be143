package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.remote.internal.wire.ClientFrame;
import dev.tidemark.remote.internal.wire.GetAll;
import dev.tidemark.remote.internal.wire.OpenReader;
import dev.tidemark.remote.internal.wire.Request;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that want the server to run out of memory. It has a heap of 64 MiB, and as much direct
 * memory; another client commits all the while and must not notice.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileClientsTest {
  private static final int MEGABYTES = 64;
  private static final String SESSION = "/tidemark.remote.v1.Store/Session";
  private static final String HEALTH = "/grpc.health.v1.Health/Check";

  /** Longer than what is sent of it. */
  private static final int ANNOUNCED = 39_000_000;

  private static final byte[] PIECE = new byte[16_000];
  private static final byte[] BYTE = new byte[1];

  /** A little less than what may be on its way unread. */
  private static final int PIECES = 125;

  @TempDir Path directory;

  private final List<Http2Client> clients = new ArrayList<>();

  /** What one client does on its connection. */
  private interface Attack {
    void run(Http2Client client) throws IOException;
  }

  @Test
  void framesAreAnnouncedAndNotSent() throws Exception {
    withstand(600, client -> sendPart(client.greet("reader")));
  }

  /** Without a token, by the one service that needs none. */
  @Test
  void messagesForTheHealthAreAnnouncedAndNotSent() throws Exception {
    withstand(600, client -> sendPart(client.open(1, HEALTH, "")));
  }

  private static void sendPart(Http2Client client) throws IOException {
    client.message(ANNOUNCED, PIECE);
    for (int piece = 1; piece < PIECES; piece++) {
      client.more(PIECE);
    }
  }

  @Test
  void framesComeInPiecesOfOneByte() throws Exception {
    withstand(
        20,
        client -> {
          client.greet("reader").message(ANNOUNCED, BYTE);
          for (int piece = 0; piece < 100_000; piece++) {
            client.more(BYTE);
          }
        });
  }

  @Test
  void repliesAreAskedForAndNotTaken() throws Exception {
    byte[] frame = readsOfTheBigValue();
    withstand(
        300,
        client -> {
          client.greet("reader");
          for (int sent = 0; sent < 200; sent++) {
            client.message(frame.length, frame);
          }
        });
  }

  private static byte[] readsOfTheBigValue() {
    Key key = Key.utf8("big");
    ClientFrame.Builder frame = ClientFrame.newBuilder();
    frame.addRequests(
        Request.newBuilder().setId(2).setOpenReader(OpenReader.newBuilder().setReader(1)));
    for (int i = 0; i < 20; i++) {
      GetAll get =
          GetAll.newBuilder().setReader(1).addKeys(ByteString.copyFrom(key.toByteArray())).build();
      frame.addRequests(Request.newBuilder().setId(3 + i).setGetAll(get));
    }
    return frame.build().toByteArray();
  }

  @Test
  void callsAreOpenedAndReset() throws Exception {
    withstand(
        8,
        client -> {
          for (int stream = 1; stream < 40_000; stream += 2) {
            client.open(stream, SESSION, "reader").reset(stream);
          }
        });
  }

  @Test
  void signsOfLifeAreAskedForAndNotTaken() throws Exception {
    withstand(
        8,
        client -> {
          client.greet("reader");
          for (int ping = 0; ping < 100_000; ping++) {
            client.ping();
          }
        });
  }

  /** Has {@code count} clients attack a server one after the other, while another one commits. */
  private void withstand(int count, Attack attack) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (SmallServer server = SmallServer.start(MEGABYTES, directory.resolve("server.log"));
        RemoteDatabase bystander =
            RemoteDatabase.connect(
                "tidemark://127.0.0.1:" + server.port(), o -> o.withToken("writer"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      commit(bystander, 0);
      Future<Integer> commits = threads.submit(() -> commitUntil(over, bystander));
      try {
        attack(server.port(), count, attack);
      } finally {
        over.set(true);
      }
      assertThat(commits.get()).as("commits during the attack").isPositive();
      for (int i = 0; i < 20; i++) {
        commit(bystander, i);
      }
      assertThat(server.isAlive()).as("server is alive").isTrue();
      assertThat(server.log()).doesNotContain("OutOfMemory", "OutOfDirectMemory");
    } finally {
      for (Http2Client client : clients) {
        client.close();
      }
    }
  }

  /** Clients that the server has not ended stay as they are. */
  private void attack(int port, int count, Attack attack) throws IOException {
    for (int i = 0; i < count; i++) {
      Http2Client client = Http2Client.connect(port);
      clients.add(client);
      try {
        attack.run(client);
      } catch (SocketException ended) {
        // The server has had enough of this one.
      }
    }
  }

  private static int commitUntil(AtomicBoolean over, RemoteDatabase database) {
    int commits = 0;
    while (!over.get()) {
      commit(database, commits++);
    }
    return commits;
  }

  /** Not by run, which would try again. */
  private static void commit(RemoteDatabase database, int number) {
    try (Transaction tx = database.begin()) {
      tx.set(Key.utf8("bystander"), new byte[] {(byte) number});
      tx.commit();
    }
  }
}
