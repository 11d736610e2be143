package dev.tidemark.loader.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.GrpcTransportChannel;
import com.google.api.gax.rpc.FixedTransportChannelProvider;
import com.google.cloud.pubsub.v1.SubscriptionAdminClient;
import com.google.cloud.pubsub.v1.SubscriptionAdminSettings;
import com.google.cloud.pubsub.v1.TopicAdminClient;
import com.google.cloud.pubsub.v1.TopicAdminSettings;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Subscription;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.MessageSource.Acknowledged;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real client against Google's emulator, where it is installed. */
@Timeout(180)
class EmulatorTest {
  private static final Duration WAIT = Duration.ofSeconds(1);

  private static PubSubEmulator emulator;
  private static ManagedChannel channel;
  private static FixedTransportChannelProvider transport;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    Optional<PubSubEmulator> found = PubSubEmulator.find(folder);
    Assumptions.assumeTrue(
        found.isPresent(),
        "No Pub/Sub emulator: set PUBSUB_EMULATOR_HOST, or install google-cloud-cli-pubsub-emulator");
    emulator = found.get();
    channel = ManagedChannelBuilder.forTarget(emulator.address()).usePlaintext().build();
    transport = FixedTransportChannelProvider.create(GrpcTransportChannel.create(channel));
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (emulator != null) {
      channel.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
      emulator.close();
    }
  }

  /** A topic and a subscription of its own for each test. */
  private static final class Queue implements AutoCloseable {
    private final String name = "t" + UUID.randomUUID();
    private final TopicAdminClient topics;

    Queue(boolean exactlyOnce) throws IOException {
      topics =
          TopicAdminClient.create(
              TopicAdminSettings.newBuilder()
                  .setTransportChannelProvider(transport)
                  .setCredentialsProvider(NoCredentialsProvider.create())
                  .build());
      topics.createTopic(topic());
      try (SubscriptionAdminClient subscriptions =
          SubscriptionAdminClient.create(
              SubscriptionAdminSettings.newBuilder()
                  .setTransportChannelProvider(transport)
                  .setCredentialsProvider(NoCredentialsProvider.create())
                  .build())) {
        subscriptions.createSubscription(
            Subscription.newBuilder()
                .setName("projects/%s/subscriptions/%s".formatted(FakePubSub.PROJECT, name))
                .setTopic(topic())
                .setAckDeadlineSeconds(10)
                .setEnableExactlyOnceDelivery(exactlyOnce)
                .build());
      }
    }

    private String topic() {
      return "projects/%s/topics/%s".formatted(FakePubSub.PROJECT, name);
    }

    void publish(int count) {
      List<PubsubMessage> messages = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        messages.add(
            PubsubMessage.newBuilder()
                .putAllAttributes(
                    Readings.attributes("p" + i % 10, "" + i, "" + (800_000_000 + i / 2)))
                .build());
      }
      for (int from = 0; from < count; from += 1_000) {
        topics.publish(topic(), messages.subList(from, Math.min(count, from + 1_000)));
      }
    }

    PubSubSource source() {
      return PubSubSource.open(FakePubSub.PROJECT, name, o -> o.withEmulator(emulator.address()));
    }

    @Override
    public void close() {
      topics.close();
    }
  }

  private static List<Message> pullAll(PubSubSource source, int count) {
    List<Message> all = new ArrayList<>();
    for (int pulls = 0; all.size() < count && pulls < 100; pulls++) {
      all.addAll(source.pull(count - all.size(), WAIT));
    }
    return all;
  }

  @Test
  void messagesArePulledGivenBackExtendedAndAcknowledged() throws IOException {
    try (Queue queue = new Queue(true);
        PubSubSource source = queue.source()) {
      assertThat(source.pull(10, Duration.ofMillis(100))).isEmpty();
      queue.publish(300);

      List<Message> messages = pullAll(source, 300);
      assertThat(messages).hasSize(300);
      assertThat(messages.getFirst().publishedAt())
          .isAfter(Instant.now().minus(Duration.ofHours(1)));
      source.extend(messages);
      source.nack(messages.subList(0, 100));
      List<Message> again = pullAll(source, 100);

      assertThat(again).extracting(Message::id).hasSize(100).doesNotHaveDuplicates();
      assertThat(source.ack(messages.subList(100, 300))).isEqualTo(new Acknowledged(200, 0));
      assertThat(source.ack(again)).isEqualTo(new Acknowledged(100, 0));
      assertThat(source.pull(10, WAIT)).isEmpty();
    }
  }

  @Test
  void backlogEndsInTheTable() throws IOException, SQLException {
    try (FakeBigQuery bigQuery = new FakeBigQuery();
        Queue queue = new Queue(false)) {
      queue.publish(3_000);
      Map<String, String> environment = Readings.environment(emulator.address(), bigQuery);
      environment.put("SUBSCRIPTION_ID", queue.name);
      environment.put("TABLE_POLICY", "create");
      environment.put("IDLE_SECONDS", "2");
      try (Instant2Bq job = Instant2Bq.open(Instant2BqSettings.of(environment))) {
        LoadResult result = job.load();

        assertThat(result.successful()).as(result.toString()).isTrue();
        assertThat(result.merged()).isEqualTo(3_000);
      }
      assertThat(
              bigQuery.query(
                  "SELECT count(*), count(DISTINCT (point_id, measured_at)) FROM instant_data"))
          .containsExactly(List.of("3000", "3000"));
    }
  }
}
