package dev.tidemark.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CuttingProxyTest {
  private final CuttingProxy proxy = CuttingProxy.open();
  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    proxy.target(server.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    server.close();
  }

  @Test
  void carriesBytesBothWays() throws IOException {
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      client.getOutputStream().write(7);
      assertThat(accepted.getInputStream().read()).isEqualTo(7);
      accepted.getOutputStream().write(8);
      assertThat(client.getInputStream().read()).isEqualTo(8);
    }
  }

  @Test
  void cutEndsBothSidesAndANewConnectionReachesTheNewServer() throws Exception {
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      client.getOutputStream().write(7);
      assertThat(accepted.getInputStream().read()).isEqualTo(7);
      assertThat(proxy.cut(new SplittableRandom(1))).isEqualTo(1);
      assertThat(ended(client)).isTrue();
      assertThat(ended(accepted)).isTrue();
    }
    try (ServerSocket next = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      proxy.target(next.getLocalPort());
      try (Socket client = connect();
          Socket accepted = next.accept()) {
        client.getOutputStream().write(9);
        assertThat(accepted.getInputStream().read()).isEqualTo(9);
      }
    }
  }

  @Test
  void onlyTheReplyToTheNamedRequestGetsLost() throws Exception {
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      proxy.loseReply("pay", "done");
      say(client, accepted, "look");
      say(accepted, client, "done");
      say(client, accepted, "pay");
      say(accepted, client, "wait");
      assertThat(proxy.hasLostReply()).isFalse();
      accepted.getOutputStream().write(bytes("done"));
      Eventually.eventually("the reply is lost", proxy::hasLostReply);
      say(client, accepted, "still there?");
      accepted.shutdownOutput();

      assertThat(ended(client)).as("without having heard it").isTrue();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Says {@code text} on one side and hears it on the other. */
  private static void say(Socket from, Socket to, String text) throws IOException {
    from.getOutputStream().write(bytes(text));
    assertThat(to.getInputStream().readNBytes(text.length())).isEqualTo(bytes(text));
  }

  @Test
  void clientIsTurnedAwayWhileThereIsNoServer() throws IOException {
    server.close();
    try (Socket client = connect()) {
      assertThat(ended(client)).isTrue();
    }
  }

  @Test
  void serverLearnsOfAClientThatGoes() throws IOException {
    Socket client = connect();
    try (Socket accepted = server.accept()) {
      client.getOutputStream().write(7);
      client.close();
      assertThat(accepted.getInputStream().read()).isEqualTo(7);
      assertThat(ended(accepted)).isTrue();
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
  }

  /** Whether the connection ends, by a close or by a reset. */
  private static boolean ended(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException reset) {
      return true;
    }
  }
}
