package dev.tidemark.node.internal.command.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.ClientSecurity;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.node.Call;
import dev.tidemark.remote.RemoteDatabase;
import dev.tidemark.testkit.server.Certificates;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ServeCommandTest {
  private static final Key KEY = Key.utf8("greeting");
  private static final byte[] VALUE = {42};

  @TempDir Path directory;

  private final Call call = new Call();

  @Test
  void servesUntilASignalAndKeepsWhatWasCommitted() throws Exception {
    try (ServeProcess process = ServeProcess.start(database(), "--port", "0")) {
      try (RemoteDatabase client = RemoteDatabase.connect(process.uri())) {
        client.run(tx -> tx.set(KEY, VALUE));
      }
      assertThat(process.terminate()).isZero();
    }
    try (EmbeddedDatabase database = EmbeddedDatabase.open(database())) {
      assertThat(stored(database)).hasValue(VALUE);
    }
  }

  @Test
  void scriptIsToldWhereTheStoreIsServed() throws Exception {
    try (ServeProcess process = ServeProcess.start(database(), "--port", "0", "--json")) {
      try (RemoteDatabase client = RemoteDatabase.connect(process.uri())) {
        client.run(tx -> tx.set(KEY, VALUE));
      }
      assertThat(process.terminate()).isZero();
      assertThat(process.line()).isEqualTo("{\"event\":\"stopping\"}");
    }
  }

  @Test
  void signalEndsAServerThatFailsWhileItStops() throws Exception {
    try (ServeProcess process = ServeProcess.start(UnwellServe.class, database(), "--port", "0")) {
      assertThat(process.terminate()).isEqualTo(1);
      assertThat(process.errors()).contains("As injected");
    }
  }

  @Test
  void tokensSayWhoMayReadAndWhoMayWrite() throws Exception {
    Path tokens = directory.resolve("tokens");
    Files.writeString(tokens, "# who may do what\n\nread-write one\nread-only  two\n");
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    try (ServeProcess process =
        ServeProcess.start(database(), "--port", "0", "--token-file", tokens.toString())) {
      try (RemoteDatabase writer = RemoteDatabase.connect(process.uri(), o -> o.withToken("one"))) {
        writer.run(tx -> tx.set(KEY, VALUE));
      }
      try (RemoteDatabase reader = RemoteDatabase.connect(process.uri(), o -> o.withToken("two"))) {
        assertThat(stored(reader)).hasValue(VALUE);
        assertThatThrownBy(() -> reader.run(tx -> tx.clear(KEY)))
            .isInstanceOf(DatabaseException.class);
      }
      assertThatThrownBy(() -> RemoteDatabase.connect(process.uri(), o -> o.withToken("three")))
          .isInstanceOf(DatabaseException.class);
      assertThat(process.errors()).isEmpty();
    }
  }

  @Test
  void whoSpeaksAnotherProtocolIsCutOffAndFillsNoLog() throws Exception {
    try (ServeProcess process = ServeProcess.start(database(), "--port", "0")) {
      int port = process.uri().getPort();
      assertThatThrownBy(() -> RemoteDatabase.connect("tidemarks://127.0.0.1:" + port))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("does it speak TLS?");
      try (Socket browser = new Socket(InetAddress.getLoopbackAddress(), port)) {
        browser.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
        assertThat(browser.getInputStream().readAllBytes()).isNotNull(); // to the cut
      }
      assertThat(process.terminate()).isZero();
      assertThat(process.errors()).isEmpty();
    }
  }

  @Test
  void certificatesEncryptAndCanBeAskedForFromClients() throws Exception {
    Certificates server = Certificates.make(directory, "server");
    Certificates client = Certificates.make(directory, "client");
    try (ServeProcess process =
        ServeProcess.start(
            database(),
            "--port",
            "0",
            "--tls-cert",
            server.certificate().toString(),
            "--tls-key",
            server.privateKey().toString(),
            "--tls-client-ca",
            client.certificate().toString())) {
      assertThat(process.uri().getScheme()).isEqualTo("tidemarks");
      ClientSecurity security =
          new ClientSecurity.Mutual(
              server.certificate(), client.certificate(), client.privateKey());
      try (RemoteDatabase database =
          RemoteDatabase.connect(process.uri(), o -> o.withSecurity(security))) {
        database.run(tx -> tx.set(KEY, VALUE));
      }
      assertThatThrownBy(
              () ->
                  RemoteDatabase.connect(
                      process.uri(), o -> o.withAuthorities(server.certificate())))
          .isInstanceOf(DatabaseException.class);
    }
  }

  @Test
  void plainTextBeyondThisMachineIsServedWhereItIsAskedFor() throws Exception {
    try (ServeProcess process =
            ServeProcess.start(
                database(), "--plain-text", "--no-tokens", "--port", "0", "--address", "0.0.0.0");
        RemoteDatabase client = RemoteDatabase.connect(process.uri())) {
      client.run(tx -> tx.set(KEY, VALUE));
      assertThat(stored(client)).hasValue(VALUE);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "serve | Missing required parameter: 'DIRECTORY'",
        "serve --port 1 | Missing required parameter: 'DIRECTORY'",
        "serve here --prot 1 | tidemark serve has no option '--prot'; did you mean --port",
        "serve here --port | Missing required parameter for option '--port' (N)",
        "serve here --port 1 --port 2 | option '--port' (N) should be specified only once",
        "serve here --port many | --port takes a number from 0 to 65535, not many",
        "serve here --port 65536 | --port takes a number from 0 to 65535, not 65536",
        "serve here --tls-key k | --tls-cert and --tls-key go together",
        "serve here --tls-client-ca c | --tls-client-ca needs --tls-cert and --tls-key",
        "serve here --plain-text yes | tidemark serve takes no further argument 'yes'",
        "serve here --plain-text --tls-cert c --tls-key k | --plain-text and --tls-cert exclude"
            + " each other",
        "serve here --no-tokens --token-file t | --no-tokens and --token-file exclude each other"
      })
  void mistakeIsNamedWithTheUsageAndExitCode2(String line, String reason) {
    assertThat(call.run(line.split(" ", -1))).isEqualTo(2);
    assertThat(text()).startsWith("tidemark: " + reason).contains("Usage: tidemark serve");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--address 0.0.0.0 | give --tls-cert and --tls-key, or listen on 127.0.0.1, or allow it"
            + " with --plain-text",
        "--address 0.0.0.0 --plain-text | give --token-file or --tls-client-ca, or listen on"
            + " 127.0.0.1, or allow it with --no-tokens",
        "--address nowhere.invalid | There is no address nowhere.invalid",
        "--token-file missing | The file missing of --token-file cannot be read",
        "--tls-cert missing --tls-key missing | of --tls-cert cannot be read"
      })
  void whatIsNotSafeOrNotThereIsRefusedWithExitCode1(String options, String reason)
      throws Exception {
    assertThat(serve(options)).isEqualTo(1);
    assertThat(text()).startsWith("tidemark: cannot serve " + database()).contains(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "read-write, has 1 words",
    "admin secret, does not begin with",
    "# nobody, holds no token"
  })
  void malformedTokenFileIsRefusedWithoutShowingSecrets(String line, String reason)
      throws Exception {
    Path tokens = directory.resolve("tokens");
    Files.writeString(tokens, line + "\n");
    assertThat(serve("--token-file " + tokens)).isEqualTo(1);
    assertThat(text()).contains(reason).contains("read-write TOKEN").doesNotContain("secret");
  }

  @Test
  void tokenFileThatOthersCanReadGetsAWarning() throws Exception {
    Path tokens = directory.resolve("tokens");
    Files.writeString(tokens, "wrong\n");
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-r--r--"));
    serve("--token-file " + tokens);
    assertThat(text()).startsWith("tidemark: warning: others can read the tokens; run: chmod 600");
  }

  @Test
  void directoryInUseIsRefused() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(database())) {
      assertThat(serve("--port 0")).isEqualTo(1);
      assertThat(stored(database)).isEmpty();
    }
    assertThat(text()).contains("cannot serve " + database()).contains("open already");
  }

  @Test
  void portInUseIsRefused() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(serve("--port " + taken.getLocalPort())).isEqualTo(1);
      assertThat(text()).contains("cannot serve").contains(Integer.toString(taken.getLocalPort()));
    }
  }

  private static Optional<byte[]> stored(Database database) {
    return database.read(tx -> tx.get(KEY));
  }

  private Path database() {
    return directory.resolve("database");
  }

  private int serve(String options) throws Exception {
    return call.run(("serve " + database() + " " + options).split(" ", -1));
  }

  private String text() {
    return call.err();
  }
}
