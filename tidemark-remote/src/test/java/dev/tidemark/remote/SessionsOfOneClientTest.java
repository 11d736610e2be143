package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.WatchKey;
import dev.tidemark.testkit.Eventually;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** Clients that come again before the server knows that their connection is gone. */
class SessionsOfOneClientTest extends ServedCase {
  private static final ByteString ONE = ByteString.copyFromUtf8("0123456789abcdef");
  private static final ByteString OTHER = ByteString.copyFromUtf8("fedcba9876543210");

  SessionsOfOneClientTest() {
    super(EmbeddedDatabase.inMemory(o -> o.withLimits(Limits.DEFAULTS.withWatches(1))));
  }

  @Test
  void newSessionEndsTheOldOneAndHasItsPlaces() throws Exception {
    try (RawClient before = RawClient.reading(server).greetAs(ONE);
        RawClient after = RawClient.reading(server)) {
      before.reply();
      before.send(watch(2));
      Eventually.eventually("the watch is set", () -> served.statistics().watches() == 1);
      after.greetAs(ONE).reply();
      after.send(watch(3));
      assertThat(before.end().getCode()).isEqualTo(Status.Code.ABORTED);
      Eventually.eventually("the watch is set again", () -> served.statistics().watches() == 1);
      served.run(tx -> tx.set(Key.utf8("a"), new byte[1]));
      Reply reply = after.reply();
      assertThat(reply.hasFired()).as(reply.toString()).isTrue();
    }
  }

  @Test
  void clientThatComesAgainHasItsPlaceWhereNoneIsLeft() throws Exception {
    try (DatabaseServer full = DatabaseServer.open(served, o -> o.withClients(1));
        RawClient before = RawClient.reading(full).greetAs(ONE)) {
      before.reply();
      try (RawClient after = RawClient.reading(full).greetAs(ONE);
          RawClient other = RawClient.reading(full).greetAs(OTHER);
          RawClient nobody = RawClient.reading(full).greet()) {
        assertThat(after.reply().hasWelcome()).isTrue();
        assertThat(before.end().getCode()).isEqualTo(Status.Code.ABORTED);
        assertThat(other.end().getDescription()).contains("1 clients", "ServerOptions.clients");
        assertThat(nobody.end().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(full.statistics().clientsRefused()).isEqualTo(2);
        after.send(watch(2));
        Eventually.eventually("it is served", () -> served.statistics().watches() == 1);
      }
      Eventually.eventually("it is gone", () -> full.statistics().clients() == 0);
      try (RawClient other = RawClient.reading(full).greetAs(OTHER)) {
        assertThat(other.reply().hasWelcome()).isTrue();
      }
    }
  }

  @Test
  void sessionsWithoutAGreetingAreBoundedToo() throws Exception {
    try (DatabaseServer small = DatabaseServer.open(served, o -> o.withClients(1));
        RawClient first = RawClient.reading(small);
        RawClient second = RawClient.reading(small)) {
      for (int i = 0; i < 50; i++) {
        first.openAnother();
        second.openAnother();
      }
      Eventually.eventually("one is too many", () -> small.statistics().clientsSeen() == 102);
      assertThat(small.statistics().clients()).isZero();
      try (RawClient third = RawClient.reading(small)) {
        assertThat(third.end().getDescription()).contains("ServerOptions.clients");
      }
    }
  }

  @Test
  void clientCountsFromItsGreetingToItsEnd() throws Exception {
    try (RawClient client = RawClient.reading(server)) {
      Eventually.eventually("it is there", () -> server.statistics().clientsSeen() == 1);
      assertThat(server.statistics().clients()).isZero();
      client.greet().reply();
      assertThat(server.statistics().clients()).isEqualTo(1);
      client.greet().reply();
      assertThat(server.statistics().clients()).as("after a second greeting").isEqualTo(1);
    }
    Eventually.eventually("it is gone", () -> server.statistics().clients() == 0);
    assertThat(server.statistics().clientsSeen()).isEqualTo(1);
  }

  @Test
  void sessionsOfOthersAndOfClientsWithoutAnIdGoOn() throws Exception {
    try (RawClient one = RawClient.reading(server).greetAs(ONE);
        RawClient nobody = RawClient.reading(server).greet();
        RawClient other = RawClient.reading(server).greetAs(OTHER);
        RawClient second = RawClient.reading(server).greet()) {
      one.reply();
      nobody.reply();
      other.reply();
      second.reply();
      assertThat(server.statistics().clients()).isEqualTo(4);
    }
  }

  @Test
  void idOfAnotherLengthIsRefused() throws Exception {
    try (RawClient client = RawClient.reading(server).greetAs(ONE.substring(1))) {
      assertThat(client.end().getDescription()).contains("15 bytes, not 16");
    }
  }

  private static Request watch(long id) {
    WatchKey watch = WatchKey.newBuilder().setKey(ByteString.copyFromUtf8("a")).build();
    return Request.newBuilder().setId(id).setWatchKey(watch).build();
  }
}
