package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UsageException;
import dev.tidemark.pulse.Capabilities;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.redis.internal.link.LettuceSettings;
import dev.tidemark.pulse.redis.internal.link.ServerVersion;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.testkit.model.ModelDatabase;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisConnectTest {
  private static final byte[] NOTHING = {};

  @RegisterExtension
  static final OneServer SERVER =
      new OneServer(RedisServer.Version.V7_0, "user pulse on >pen allcommands allkeys allchannels");

  @Test
  void capabilitiesNameTheServer() {
    try (Pulse pulse = RedisPulse.connect(SERVER.uri())) {
      assertThat(pulse.capabilities())
          .isEqualTo(new Capabilities("redis 7.0.15", false, false, false));
    }
  }

  @Test
  void userWithTheRightPasswordIsLetIn() {
    RedisOptions options = RedisOptions.at(SERVER.uri()).withCredentials("pulse", "pen");
    try (Pulse pulse = options.connect()) {
      assertThat(pulse.stream("s").add("e", new byte[0])).isNotNull();
    }
    assertThat(options.toString()).contains("pulse").doesNotContain("pen");
  }

  @Test
  void wrongPasswordIsSaidToBeOne() {
    assertThatThrownBy(
            () -> RedisOptions.at(SERVER.uri()).withCredentials("pulse", "knife").connect())
        .isInstanceOf(PulseException.class)
        .hasMessageContaining(SERVER.uri())
        .hasMessageContaining("WRONGPASS")
        .hasMessageContaining("withCredentials");
  }

  @Test
  void missingServerIsNamedWithARemedy() throws IOException {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }

    assertThatThrownBy(() -> RedisPulse.connect("redis://user:secret@127.0.0.1:" + nobody))
        .isInstanceOf(PulseException.class)
        .hasMessageContaining("127.0.0.1:" + nobody)
        .hasMessageContaining("Check the address")
        .hasMessageNotContaining("secret");
  }

  @Test
  void serverThatNeverSpeaksIsGivenUpAfterTheConnectTimeout() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      RedisOptions options =
          RedisOptions.at("redis://127.0.0.1:" + silent.getLocalPort())
              .withConnectTimeout(Duration.ofMillis(300));

      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () ->
              assertThatThrownBy(options::connect)
                  .isInstanceOf(PulseException.class)
                  .hasMessageContaining("No connection"));
    }
  }

  @Test
  void sentinelsAndMasterStayWhenCredentialsAreAdded() {
    RedisURI uri =
        LettuceSettings.uris(
                RedisOptions.at("redis-sentinel://a:26379,b:26380#main")
                    .withConnectTimeout(Duration.ofSeconds(3))
                    .withCredentials("pulse", "pen"))
            .getFirst();

    assertThat(uri.getSentinelMasterId()).isEqualTo("main");
    assertThat(uri.getSentinels())
        .extracting(RedisURI::getHost, RedisURI::getPort, RedisURI::getTimeout)
        .containsExactly(
            tuple("a", 26379, Duration.ofSeconds(3)), tuple("b", 26380, Duration.ofSeconds(3)));
    assertThat(uri.getCredentialsProvider()).isInstanceOf(StaticCredentialsProvider.class);
  }

  @Test
  void oldServerIsRefusedByItsVersion() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> pretendToBe(listener, "redis_version:5.0.14\r\n"));

      assertThatThrownBy(() -> RedisPulse.connect("redis://127.0.0.1:" + listener.getLocalPort()))
          .isInstanceOf(PulseException.class)
          .hasMessageContaining("redis 5.0.14")
          .hasMessageContaining("6.2");
    }
  }

  /** Answers every command with OK, and INFO with {@code info}. */
  private static void pretendToBe(ServerSocket listener, String info) {
    try (Socket socket = listener.accept()) {
      OutputStream out = socket.getOutputStream();
      byte[] buffer = new byte[4096];
      for (int n = socket.getInputStream().read(buffer);
          n > 0;
          n = socket.getInputStream().read(buffer)) {
        String request = new String(buffer, 0, n, StandardCharsets.US_ASCII);
        for (int i = 0; i < request.length(); i++) {
          if (request.charAt(i) == '*') {
            String answer =
                request.startsWith("INFO", request.indexOf('\n', request.indexOf('$', i)) + 1)
                    ? "$" + info.length() + "\r\n" + info + "\r\n"
                    : "+OK\r\n";
            out.write(answer.getBytes(StandardCharsets.US_ASCII));
          }
        }
      }
    } catch (IOException done) {
      // The client has seen enough.
    }
  }

  @Test
  void addressThatIsNoneIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RedisPulse.connect("localhost:6379"))
        .withMessageContaining("redis://host:6379");
  }

  @Test
  void optionsThatContradictAreRefused() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> RedisOptions.at(SERVER.uri()).withOutageMax(Duration.ZERO))
        .withMessageContaining("outageMax");
    assertThatExceptionOfType(UsageException.class).isThrownBy(RedisOptions::ofCluster);
  }

  @Test
  void nodeOfAClusterNeedsTheOptionsOfOne() throws IOException {
    try (RedisServer node =
        RedisServer.start(
            OneServer.directory(),
            RedisServer.Version.V7_0,
            "cluster-enabled yes",
            "cluster-port 0")) {
      assertThatThrownBy(() -> RedisPulse.connect(node.uri()))
          .isInstanceOf(PulseException.class)
          .hasMessageContaining("RedisOptions.ofCluster");
    }
  }

  @Test
  void callsWithATransactionSayWhatToUseInstead() {
    try (Pulse pulse = RedisPulse.connect(SERVER.uri());
        Database database = ModelDatabase.open();
        Transaction tx = database.begin()) {
      EventStream stream = pulse.stream("s");
      assertRefused(() -> stream.add(tx, "e", "", NOTHING), "call without one");

      ReplicatedMap<String, String> map = pulse.map("m");
      assertRefused(() -> map.set(tx, "k", "v"), "call without one");
      assertRefused(() -> map.increment(tx, "n", 1), "call without one");
      assertRefused(() -> map.delete(tx, "k"), "call without one");

      Sink sink = stream.sink("billing", o -> o.withStart(Start.oldest()));
      stream.add("e", NOTHING);
      Event event = sink.read().getFirst();
      assertRefused(() -> sink.subscribe((same, each) -> {}), "subscribe(Consumer)");
      assertRefused(() -> sink.ack(tx, event), "handler of events alone");
      assertRefused(() -> sink.ackAll(tx, List.of(event)), "handler of events alone");

      PoolNode node = pulse.pool("p");
      assertRefused(() -> node.addTransactionalRunner((same, job) -> {}, 1), "use addRunner");
      assertRefused(() -> node.dispatch(tx, "job", NOTHING), "call without one");
      assertThat(node.localWorkers()).isEmpty();
      assertThat(node.jobKeys()).isEmpty();
      assertThat(map.snapshot()).isEmpty();
    }
  }

  private static void assertRefused(ThrowingCallable call, String remedy) {
    assertThatThrownBy(call)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("no transactions")
        .hasMessageContaining(remedy);
  }

  @Test
  void namesThatWouldScatterTheirKeysAreRefused() {
    try (Pulse pulse = RedisPulse.connect(SERVER.uri())) {
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(() -> pulse.stream("a}b"), () -> pulse.map("a}b"))) {
        assertThatIllegalArgumentException()
            .isThrownBy(call)
            .withMessageContaining("a tag like {a}")
            .withMessageContaining("a}b");
      }
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(() -> pulse.pool("}x"), () -> pulse.poolClient("}x"))) {
        assertThatIllegalArgumentException()
            .isThrownBy(call)
            .withMessageContaining("cannot begin with '}'")
            .withMessageContaining("}x");
      }
      assertThat(pulse.stream("{a}b").add("e", NOTHING)).isNotNull();
    }
  }

  @Test
  void valkeyIsKnownByItsOwnVersion() {
    ServerVersion valkey =
        ServerVersion.parse("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n")
            .orElseThrow();

    assertThat(valkey).hasToString("valkey 8.0.1");
    assertThat(valkey.isEnough()).isTrue();
    assertThat(ServerVersion.parse("redis_version:6.0.20").orElseThrow().isEnough()).isFalse();
    assertThat(ServerVersion.parse("hello")).isEmpty();
  }
}
