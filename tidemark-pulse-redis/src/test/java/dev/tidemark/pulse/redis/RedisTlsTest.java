package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.testkit.server.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who believes a server that encrypts, and whom it lets in. */
class RedisTlsTest {
  private static Certificates ours;
  private static Certificates strangers;
  private static Certificates others;
  private static RedisServer server;
  private static RedisServer elsewhere;
  private static int port;
  private static int elsewherePort;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    OneServer.quiet();
    ours = Certificates.make(directory, "ours");
    strangers = Certificates.make(directory, "strangers");
    others = Certificates.makeFor(directory, "others", "dns:elsewhere.example");
    port = freePort();
    server = start(port, ours);
    elsewherePort = freePort();
    elsewhere = start(elsewherePort, others);
  }

  private static RedisServer start(int tlsPort, Certificates certificates) throws IOException {
    return RedisServer.start(
        OneServer.directory(),
        RedisServer.Version.V7_0,
        "tls-port " + tlsPort,
        "tls-cert-file \"%s\"".formatted(certificates.certificate().toAbsolutePath()),
        "tls-key-file \"%s\"".formatted(certificates.privateKey().toAbsolutePath()),
        "tls-auth-clients no",
        "requirepass letmein",
        "user pulse on >pen allcommands allkeys allchannels");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @AfterAll
  static void stop() {
    server.close();
    elsewhere.close();
  }

  private static RedisOptions options() {
    return RedisOptions.at("rediss://127.0.0.1:" + port)
        .withTrustedCertificates(ours.certificate());
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(RedisOptions options) {
    return assertThatThrownBy(() -> options.connect().close())
        .isInstanceOf(PulseException.class)
        .hasMessageContaining(options.where())
        .hasMessageNotContaining("letmein");
  }

  @Test
  void serverWithTheRightAuthorityIsBelieved() {
    try (Pulse pulse = options().withPassword("letmein").connect();
        ReplicatedMap<String, String> map = pulse.map("m")) {
      EventStream stream = pulse.stream("s");
      stream.add("e", "hello".getBytes(StandardCharsets.UTF_8));
      try (Reader reader = stream.reader(o -> o.withStart(Start.oldest()))) {
        assertThat(reader.read()).hasSize(1);
      }
      map.setAndWait("a", "1", Duration.ofSeconds(20));
      assertThat(map.get("a")).contains("1");
    }
  }

  @Test
  void userWithItsPasswordIsLetIn() {
    try (Pulse pulse = options().withCredentials("pulse", "pen").connect()) {
      assertThat(pulse.stream("t").length()).isZero();
    }
  }

  @Test
  void wrongPasswordsAndNoneAreSaidToBeSo() {
    assertRefused(options().withPassword("guess")).hasMessageContaining("withPassword");
    assertRefused(options().withCredentials("pulse", "knife"))
        .hasMessageContaining("withCredentials");
    assertRefused(options()).hasMessageContaining("NOAUTH").hasMessageContaining("withPassword");
  }

  @Test
  void serverOfAnotherAuthorityIsNotBelieved() {
    assertRefused(
            options().withTrustedCertificates(strangers.certificate()).withPassword("letmein"))
        .hasMessageContaining("certification path")
        .hasMessageContaining("withTrustedCertificates");
    assertRefused(RedisOptions.at("rediss://127.0.0.1:" + port).withPassword("letmein"))
        .hasMessageContaining("withTrustedCertificates");
  }

  @Test
  void certificateOfAnotherHostIsNotBelieved() {
    assertRefused(
            RedisOptions.at("rediss://127.0.0.1:" + elsewherePort)
                .withTrustedCertificates(others.certificate())
                .withPassword("letmein"))
        .hasMessageContaining("IP address 127.0.0.1")
        .hasMessageContaining("names this host");
  }

  @Test
  void plainWordsToAServerThatEncryptsAreRefusedWithARemedy() {
    assertRefused(
            RedisOptions.at("redis://127.0.0.1:" + port)
                .withPassword("letmein")
                .withConnectTimeout(Duration.ofSeconds(2)))
        .hasMessageContaining("rediss://");
  }
}
