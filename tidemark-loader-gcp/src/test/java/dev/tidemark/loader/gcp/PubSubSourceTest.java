package dev.tidemark.loader.gcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.UsageException;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.MessageSource.Acknowledged;
import dev.tidemark.loader.SourceException;
import dev.tidemark.loader.gcp.FakePubSub.Fault;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The real client of Pub/Sub against a server in this process. */
@Timeout(120)
class PubSubSourceTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123456Z");
  private static final Duration WAIT = Duration.ofMillis(300);

  private FakePubSub pubSub;
  private PubSubSource source;

  @BeforeEach
  void open() throws IOException {
    pubSub = new FakePubSub();
    source = open(FakePubSub.SUBSCRIPTION);
  }

  private PubSubSource open(String subscription) {
    return PubSubSource.open(
        FakePubSub.PROJECT, subscription, o -> o.withEmulator(pubSub.address()));
  }

  @AfterEach
  void close() {
    source.close();
    source.close();
    pubSub.close();
  }

  private void publish(int count) {
    for (int i = 0; i < count; i++) {
      pubSub.publish("m" + i, NOON, Map.of("point_id", "p" + i));
    }
  }

  private List<Message> pullAll(int count) {
    List<Message> all = new ArrayList<>();
    while (all.size() < count) {
      all.addAll(source.pull(count - all.size(), WAIT));
    }
    return all;
  }

  @Test
  void messageComesAsItWasPublished() {
    publish(1);

    Message message = source.pull(10, WAIT).getFirst();

    assertThat(message.id()).isEqualTo("m0");
    assertThat(message.publishedAt()).isEqualTo(NOON);
    assertThat(message.attributes()).containsExactly(Map.entry("point_id", "p0"));
    assertThat(message.body()).asString().isEqualTo("{\"power\":\"7\"}");
    assertThat(message.deliveries()).isEqualTo(1);
    assertThat(source.name()).isEqualTo("projects/some-project/subscriptions/readings");
  }

  @Test
  void pullNeverBringsMoreThanAskedForAndThousandAtMost() {
    publish(2_500);

    assertThat(source.pull(7, WAIT)).hasSize(7);
    assertThat(source.pull(4_096, WAIT)).hasSize(1_000);
    assertThat(pubSub.largestPull()).isEqualTo(1_000);
  }

  @Test
  void answersMayBeLarge() {
    for (int i = 0; i < 10; i++) {
      pubSub.publish("m" + i, NOON, Map.of("point_id", "x".repeat(1_000_000)));
    }

    assertThat(pullAll(10)).hasSize(10);
  }

  @Test
  void pullWhoseDeadlinePassesFoundNothing() {
    publish(1);
    pubSub.fail(new Fault("pull", Status.DEADLINE_EXCEEDED, false), 1);

    assertThat(source.pull(10, WAIT)).isEmpty();
    assertThat(source.pull(10, WAIT)).hasSize(1);
  }

  @Test
  void emptySubscriptionIsWaitedForNoLongerThanAllowed() {
    assertThat(source.pull(10, WAIT)).isEmpty();
  }

  @Test
  void newMessagesAreLeasedAtOnce() {
    publish(3);

    List<Message> messages = source.pull(10, WAIT);
    source.extend(messages);

    assertThat(pubSub.extensions()).containsExactly(3, 3);
    assertThat(source.lease()).contains(Duration.ofSeconds(60));
  }

  @Test
  void messagesKeepTheirDeadlineIfTheLeaseFails() {
    publish(3);
    pubSub.fail(new Fault("modifyAckDeadline", Status.UNAVAILABLE, false), 1);

    assertThat(source.pull(10, WAIT)).hasSize(3);
  }

  @Test
  void acknowledgementsAreConfirmedInRequestsOfAThousand() {
    publish(2_500);
    List<Message> messages = pullAll(2_500);

    assertThat(source.ack(messages)).isEqualTo(new Acknowledged(2_500, 0));

    assertThat(pubSub.ackSizes()).containsExactly(1_000, 1_000, 500);
    assertThat(pubSub.backlog()).isZero();
  }

  @Test
  void messagesThatAreGivenBackComeAgain() {
    publish(2);
    source.nack(source.pull(10, WAIT));

    List<Message> again = pullAll(2);

    assertThat(pubSub.nacks()).isEqualTo(2);
    assertThat(again).allMatch(message -> message.deliveries() == 2);
  }

  @Test
  void exactlyOnceReceiptsAreConfirmedOneByOne() {
    pubSub.exactlyOnce();
    publish(20);
    pubSub.failReceipts("m1", "PERMANENT_FAILURE_INVALID_ACK_ID");
    pubSub.failReceipts("m2", "TRANSIENT_FAILURE_BUSY", "TRANSIENT_FAILURE_BUSY");
    List<Message> messages = pullAll(20);

    assertThat(source.ack(messages)).isEqualTo(new Acknowledged(19, 1));

    assertThat(pubSub.acked()).hasSize(19).contains("m2").doesNotContain("m1");
    assertThat(pubSub.ackSizes()).containsExactly(20, 1, 1);
  }

  @Test
  void exactlyOnceReceiptThatFailsForeverIsLost() {
    pubSub.exactlyOnce();
    publish(2);
    pubSub.failReceipts(
        "m0",
        "TRANSIENT_FAILURE_BUSY",
        "TRANSIENT_FAILURE_BUSY",
        "TRANSIENT_FAILURE_BUSY",
        "TRANSIENT_FAILURE_BUSY",
        "TRANSIENT_FAILURE_BUSY");

    assertThat(source.ack(pullAll(2))).isEqualTo(new Acknowledged(1, 1));
  }

  @Test
  void messageThatCannotBeGivenBackAtOnceIsGivenBackSoonAfter() {
    pubSub.exactlyOnce();
    publish(3);
    List<Message> messages = pullAll(3);
    pubSub.failDeadlines("m1", "TRANSIENT_FAILURE_BUSY", "TRANSIENT_FAILURE_BUSY");
    pubSub.failDeadlines("m2", "PERMANENT_FAILURE_INVALID_ACK_ID");

    source.nack(messages);

    assertThat(pubSub.nacks()).isEqualTo(2);
    assertThat(pullAll(2)).extracting(Message::id).containsExactlyInAnyOrder("m0", "m1");
  }

  @Test
  void leaseThatHasEndedIsReportedLostAndTheMessageComesAgain() {
    pubSub.exactlyOnce();
    publish(2);
    List<Message> messages = pullAll(2);
    pubSub.expireAll();

    source.extend(messages);
    assertThat(source.ack(messages)).isEqualTo(new Acknowledged(0, 2));
    assertThat(pullAll(2)).hasSize(2);
  }

  @Test
  void unavailableServicePasses() {
    publish(1);
    Fault unavailable = new Fault("pull", Status.UNAVAILABLE, false);
    pubSub.fail(unavailable, 1);

    assertThatThrownBy(() -> source.pull(1, WAIT))
        .isInstanceOfSatisfying(
            SourceException.class, failure -> assertThat(failure.retryable()).isTrue());
    assertThat(source.pull(1, WAIT)).hasSize(1);
  }

  @Test
  void acknowledgementWhoseAnswerIsLostCanBeRepeated() {
    publish(1);
    List<Message> messages = pullAll(1);
    pubSub.fail(new Fault("acknowledge", Status.UNAVAILABLE, true), 1);

    assertThatThrownBy(() -> source.ack(messages))
        .isInstanceOfSatisfying(
            SourceException.class, failure -> assertThat(failure.retryable()).isTrue());
    assertThat(source.ack(messages)).isEqualTo(new Acknowledged(1, 0));
    assertThat(pubSub.backlog()).isZero();
  }

  @Test
  void missingSubscriptionIsNamedAndNotTriedAgain() {
    try (PubSubSource other = open("elsewhere")) {
      assertThatThrownBy(() -> other.pull(1, WAIT))
          .isInstanceOfSatisfying(
              SourceException.class, failure -> assertThat(failure.retryable()).isFalse())
          .hasMessageContaining("NOT_FOUND")
          .hasMessageContaining("subscriptions/elsewhere");
    }
  }

  @Test
  void missingPermissionIsNamedWithTheRole() {
    pubSub.fail(new Fault("pull", Status.PERMISSION_DENIED, false), 1);

    assertThatThrownBy(() -> source.pull(1, WAIT))
        .isInstanceOfSatisfying(
            SourceException.class, failure -> assertThat(failure.retryable()).isFalse())
        .hasMessageContaining("roles/pubsub.subscriber");
  }

  @Test
  void namesAndLeasesThatCannotBeAreRefused() {
    assertThatThrownBy(() -> PubSubSource.open("p", "projects/p/subscriptions/s"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give the id alone");
    assertThatThrownBy(
            () ->
                PubSubSource.open(
                    "p", "some-subscription", o -> o.withLease(Duration.ofSeconds(601))))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("PT10M");
  }
}
