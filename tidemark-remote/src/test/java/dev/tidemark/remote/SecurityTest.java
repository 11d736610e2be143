package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.ClientSecurity;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.ServerSecurity;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Watch;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.testkit.server.Certificates;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets in, and what crosses the network. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SecurityTest {
  private static final Key A = Key.utf8("a");
  private static final byte[] VALUE = {1};

  private static Certificates ours;
  private static Certificates clients;
  private static Certificates strangers;

  private final EmbeddedDatabase served = EmbeddedDatabase.inMemory();

  @BeforeAll
  static void makeCertificates(@TempDir Path directory) {
    ours = Certificates.make(directory, "ours");
    clients = Certificates.make(directory, "clients");
    strangers = Certificates.make(directory, "strangers");
  }

  @AfterEach
  void close() {
    served.close();
  }

  private static void assertWorks(Database client) {
    client.run(tx -> tx.set(A, VALUE));
    assertThat(client.<byte[], RuntimeException>read(tx -> tx.get(A).orElseThrow()))
        .isEqualTo(VALUE);
  }

  private static void assertRefused(
      Class<? extends Exception> type, URI address, UnaryOperator<RemoteOptions> change) {
    assertThatThrownBy(
            () ->
                RemoteDatabase.connect(
                        address, o -> change.apply(o).withConnectTimeout(Duration.ofSeconds(10)))
                    .close())
        .isInstanceOf(type)
        .hasMessageContaining(address.toString());
  }

  @Test
  void rightTokenIsLetInAndOthersAreNot() {
    try (DatabaseServer server =
        DatabaseServer.open(served, o -> o.withToken("open-sesame", Role.WRITE))) {
      try (RemoteDatabase client =
          RemoteDatabase.connect(server.uri(), o -> o.withToken("open-sesame"))) {
        assertWorks(client);
      }
      assertRefused(UsageException.class, server.uri(), o -> o);
      assertRefused(UsageException.class, server.uri(), o -> o.withToken("open-wheat"));
      assertRefused(UsageException.class, server.uri(), o -> o.withToken("open-sesame2"));
      assertThat(server.statistics().clientsRefused()).isEqualTo(3);
    }
  }

  @Test
  void readersMayReadAndWatchButNotCommit() {
    try (DatabaseServer server =
            DatabaseServer.open(
                served, o -> o.withToken("writer", Role.WRITE).withToken("reader", Role.READ));
        RemoteDatabase writer = RemoteDatabase.connect(server.uri(), o -> o.withToken("writer"));
        RemoteDatabase reader = RemoteDatabase.connect(server.uri(), o -> o.withToken("reader"));
        Watch watch = reader.transact(tx -> tx.watch(A))) {
      assertWorks(writer);
      assertThat(watch.await(Duration.ofSeconds(20))).isTrue();
      assertThat(reader.<Boolean, RuntimeException>read(tx -> tx.get(A).isPresent())).isTrue();
      assertThatThrownBy(() -> reader.run(tx -> tx.clear(A)))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("for reading only");
      assertThat(served.<Boolean, RuntimeException>read(tx -> tx.get(A).isPresent())).isTrue();
    }
  }

  /** Every kind of request is named, so that a new one has to be. */
  @Test
  void readersAreRefusedWhateverWrites() throws Exception {
    try (DatabaseServer server =
            DatabaseServer.open(served, o -> o.withToken("reader", Role.READ));
        RawClient client = RawClient.reading(server, "reader").greet()) {
      client.reply();
      for (Request.BodyCase kind : Request.BodyCase.values()) {
        boolean writes =
            switch (kind) {
              case COMMIT_WRITES, SETTLE_COMMIT -> true;
              case HELLO,
                  OPEN_READER,
                  RELEASE_READER,
                  GET,
                  GET_ALL,
                  SCAN_ROWS,
                  WATCH_KEY,
                  UNWATCH_KEY,
                  ESTIMATE_SIZE,
                  FIND_SPLIT_POINTS,
                  TIME_OF_VERSION,
                  VERSION_AT_TIME,
                  BODY_NOT_SET ->
                  false;
            };
        if (writes) {
          client.send(empty(kind));
          assertThat(client.reply().getFailure().getMessage())
              .as(kind.name())
              .contains("for reading only");
        }
      }
    }
  }

  private static Request empty(Request.BodyCase kind) {
    Request.Builder request = Request.newBuilder().setId(10 + kind.getNumber());
    Descriptors.FieldDescriptor body = Request.getDescriptor().findFieldByNumber(kind.getNumber());
    return request.setField(body, request.newBuilderForField(body).build()).build();
  }

  @Test
  void tokensAreNotPrinted() {
    String printed =
        ServerOptions.DEFAULTS.withToken("secret-1", Role.READ)
            + RemoteOptions.DEFAULTS.withToken("secret-2").toString();
    assertThat(printed).doesNotContain("secret");
  }

  @Test
  void encryptedServerTakesClientsThatBelieveIt() {
    try (DatabaseServer server =
        DatabaseServer.open(served, o -> o.withTls(ours.certificate(), ours.privateKey()))) {
      assertThat(server.uri().getScheme()).isEqualTo("tidemarks");
      try (RemoteDatabase client =
          RemoteDatabase.connect(server.uri(), o -> o.withAuthorities(ours.certificate()))) {
        assertWorks(client);
      }
      assertRefused(
          UnavailableException.class,
          server.uri(),
          o -> o.withAuthorities(strangers.certificate()));
      assertRefused(UnavailableException.class, server.uri(), o -> o);
      URI plain = URI.create("tidemark://127.0.0.1:" + server.port());
      assertRefused(UnavailableException.class, plain, o -> o);
    }
  }

  @Test
  void mutualTlsAsksClientsForTheirCertificate() {
    ServerSecurity security =
        new ServerSecurity.MutualTls(ours.certificate(), ours.privateKey(), clients.certificate());
    try (DatabaseServer server = DatabaseServer.open(served, o -> o.withSecurity(security))) {
      try (RemoteDatabase client =
          RemoteDatabase.connect(server.uri(), o -> o.withSecurity(showing(clients)))) {
        assertWorks(client);
      }
      assertRefused(
          UnavailableException.class, server.uri(), o -> o.withSecurity(showing(strangers)));
      assertRefused(
          UnavailableException.class, server.uri(), o -> o.withAuthorities(ours.certificate()));
    }
  }

  private static ClientSecurity showing(Certificates own) {
    return new ClientSecurity.Mutual(ours.certificate(), own.certificate(), own.privateKey());
  }

  @Test
  void plainTextDoesNotLeaveTheMachineUnasked() {
    assertThatThrownBy(() -> DatabaseServer.open(served, o -> o.withHost("0.0.0.0")).close())
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("withTls")
        .hasMessageContaining("withPlainTextBeyondLoopback");
  }

  @Test
  void encryptedServerWithoutTokensIsNotOpenToOtherMachinesUnasked() {
    UnaryOperator<ServerOptions> everywhere =
        o -> o.withHost("0.0.0.0").withTls(ours.certificate(), ours.privateKey());
    assertThatThrownBy(() -> DatabaseServer.open(served, everywhere).close())
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("withToken")
        .hasMessageContaining("withEverybodyAllowed");
    DatabaseServer.open(served, o -> everywhere.apply(o).withEverybodyAllowed()).close();
    DatabaseServer.open(served, o -> everywhere.apply(o).withToken("t", Role.READ)).close();
  }

  /** Nothing is sent: the address, which is for documents, is not even looked up. */
  @Test
  void clientKeepsItsTokenToItselfWhereOthersCouldReadIt() {
    assertThatThrownBy(
            () ->
                RemoteDatabase.connect(
                        URI.create("tidemark://192.0.2.1:7420"), o -> o.withToken("secret"))
                    .close())
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("tidemarks://192.0.2.1:7420")
        .hasMessageContaining("withPlainTextBeyondLoopback");
  }

  @Test
  void plainTextGoesToNoNameOfWhichOneAddressIsElsewhere() {
    try (DatabaseServer server = DatabaseServer.open(served)) {
      TestNames.set("both.test", "127.0.0.1", "192.0.2.1");
      URI address = URI.create("tidemark://both.test:" + server.port());
      assertRefused(UsageException.class, address, o -> o);
    }
  }

  @Test
  void plainTextDoesNotFollowANameToAnotherMachine() {
    DatabaseServer server = DatabaseServer.open(served);
    URI address = URI.create("tidemark://moving.test:" + server.port());
    TestNames.set("moving.test", "127.0.0.1");
    try (RemoteDatabase client =
        RemoteDatabase.connect(address, o -> o.withRequestTimeout(Duration.ofMinutes(1)))) {
      assertWorks(client);
      TestNames.set("moving.test", "192.0.2.1");
      server.close();
      assertThatThrownBy(() -> client.read(tx -> tx.get(A)))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("Plain text to " + address);
    } finally {
      server.close();
    }
  }

  @Test
  void hostThatNobodyKnowsIsSaidToBeUnreachable() {
    assertRefused(
        UnavailableException.class, URI.create("tidemark://nowhere.invalid:7420"), o -> o);
  }

  @Test
  void certificatesThatCannotBeReadAreNamed() {
    assertThatThrownBy(
            () ->
                DatabaseServer.open(served, o -> o.withTls(Path.of("no.pem"), Path.of("no.key")))
                    .close())
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no.pem");
  }

  @Test
  void takenPortIsNamed() {
    try (DatabaseServer server = DatabaseServer.open(served)) {
      assertThatThrownBy(() -> DatabaseServer.open(served, o -> o.withPort(server.port())).close())
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining(Integer.toString(server.port()));
    }
  }

  @Test
  void addressWithoutAServerIsSaidToBeUnreachable() {
    DatabaseServer gone = DatabaseServer.open(served);
    gone.close();
    assertRefused(UnavailableException.class, gone.uri(), o -> o);
  }

  @Test
  void addressesThatMakeNoSenseAreRefused() {
    for (String address :
        new String[] {
          "http://localhost:1",
          "tidemark://localhost:0",
          "tidemark:///x",
          "tidemark://h:1/path",
          "tidemark://two words:1",
          "localhost:7420"
        }) {
      assertThatThrownBy(() -> RemoteDatabase.connect(address).close())
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("tidemark://host:port");
    }
  }

  @Test
  void clientsBeyondTheLimitAreRefused() {
    try (DatabaseServer server = DatabaseServer.open(served, o -> o.withClients(1));
        RemoteDatabase first = RemoteDatabase.connect(server.uri())) {
      assertWorks(first);
      assertRefused(UnavailableException.class, server.uri(), o -> o);
      try (Transaction tx = first.begin()) {
        assertThat(tx.get(A)).isPresent();
      }
    }
  }
}
