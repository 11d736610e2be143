package dev.tidemark.loader.gcp;

import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.MessageSource;
import dev.tidemark.loader.SourceException;
import dev.tidemark.loader.gcp.internal.pubsub.Subscription;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A pull subscription of Google Cloud Pub/Sub. Messages are pulled synchronously, so the loader
 * alone decides how many it holds, and each is leased from its arrival on.
 *
 * <p>A subscription with exactly-once delivery confirms each acknowledgement; the loader's result
 * counts those that were lost. Without it, an acknowledgement counts when its request was answered.
 * {@link Message#deliveries} is known only if the subscription has a dead-letter policy, and 1
 * otherwise.
 */
public final class PubSubSource implements MessageSource {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.loader.gcp");
  private static final Pattern PROJECT = Pattern.compile("[a-z0-9.:-]{1,100}");
  private static final Pattern SUBSCRIPTION = Pattern.compile("[A-Za-z][A-Za-z0-9._~+%-]{2,254}");
  private static final Duration LEASE_MIN = Duration.ofSeconds(10);
  private static final Duration LEASE_MAX = Duration.ofMinutes(10);

  private final String name;
  private final Duration lease;
  private final Subscription subscription;

  private PubSubSource(String name, Duration lease, Subscription subscription) {
    this.name = name;
    this.lease = lease;
    this.subscription = subscription;
  }

  /** The subscription with leases of a minute. */
  public static PubSubSource open(String project, String subscription) {
    return open(project, subscription, UnaryOperator.identity());
  }

  /**
   * The subscription with other options. Whether it exists shows at the first pull.
   *
   * @throws IllegalArgumentException if a name cannot be one
   * @throws SourceException if there are no credentials
   */
  public static PubSubSource open(
      String project, String subscription, UnaryOperator<Options> options) {
    check("project", PROJECT, project);
    check("subscription", SUBSCRIPTION, subscription);
    Options chosen = options.apply(new Options(Duration.ofSeconds(60), "", TimeSource.system()));
    String name = "projects/%s/subscriptions/%s".formatted(project, subscription);
    return new PubSubSource(
        name, chosen.lease, Subscription.open(name, chosen.emulator(), chosen.time));
  }

  private static void check(String what, Pattern pattern, String name) {
    if (!pattern.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is no id of a %s; give the id alone, as in my-%s".formatted(name, what, what));
    }
  }

  /** {@code projects/PROJECT/subscriptions/SUBSCRIPTION}. */
  @Override
  public String name() {
    return name;
  }

  /** Does nothing: the subscription itself knows what is to be delivered. */
  @Override
  public void begin(Optional<String> position) {}

  @Override
  public List<Message> pull(int max, Duration wait) {
    List<ReceivedMessage> received = subscription.pull(max, wait);
    if (received.isEmpty()) {
      return List.of();
    }
    List<Message> messages = new ArrayList<>(received.size());
    for (ReceivedMessage each : received) {
      messages.add(message(each));
    }
    leaseFromNowOn(messages);
    return messages;
  }

  /** The subscription's own deadline may be 10 seconds, less than a merge takes. */
  private void leaseFromNowOn(List<Message> messages) {
    try {
      extend(messages);
    } catch (SourceException failure) {
      LOG.log(
          Level.WARNING, "New messages keep the deadline of their subscription " + name, failure);
    }
  }

  private static Message message(ReceivedMessage received) {
    PubsubMessage message = received.getMessage();
    Timestamp at = message.getPublishTime();
    return Message.of(
            message.getMessageId(),
            Instant.ofEpochSecond(at.getSeconds(), at.getNanos()),
            message.getAttributesMap(),
            message.getData().toByteArray())
        .withDeliveries(Math.max(1, received.getDeliveryAttempt()))
        .withReceipt(received.getAckId());
  }

  @Override
  public Acknowledged ack(List<Message> messages) {
    int lost = subscription.acknowledge(receipts(messages));
    return new Acknowledged(messages.size() - lost, lost);
  }

  @Override
  public void nack(List<Message> messages) {
    subscription.modifyDeadline(receipts(messages), Duration.ZERO);
  }

  @Override
  public void extend(List<Message> messages) {
    subscription.modifyDeadline(receipts(messages), lease);
  }

  private static List<String> receipts(List<Message> messages) {
    return messages.stream().map(message -> message.receipt().toString()).toList();
  }

  @Override
  public boolean inOrder() {
    return false;
  }

  @Override
  public int requestMax() {
    return Subscription.RECEIPTS_MAX;
  }

  @Override
  public Optional<Duration> lease() {
    return Optional.of(lease);
  }

  @Override
  public void close() {
    subscription.close();
  }

  /** How a subscription is read. */
  public static final class Options {
    private final Duration lease;
    private final String emulator;
    private final TimeSource time;

    private Options(Duration lease, String emulator, TimeSource time) {
      this.lease = lease;
      this.emulator = emulator;
      this.time = time;
    }

    /** How long a message is leased; renewed three times in that length. Default 60 seconds */
    public Duration lease() {
      return lease;
    }

    /** Host and port of an emulator, spoken to in plain text without credentials. Default none */
    public Optional<String> emulator() {
      return emulator.isEmpty() ? Optional.empty() : Optional.of(emulator);
    }

    /** Where time comes from. Default the machine's clock */
    public TimeSource time() {
      return time;
    }

    /** These options with another lease, 10 to 600 seconds. */
    public Options withLease(Duration duration) {
      if (duration.compareTo(LEASE_MIN) < 0 || duration.compareTo(LEASE_MAX) > 0) {
        throw UsageException.invalidOption(
            "The lease is %s; Pub/Sub takes %s to %s".formatted(duration, LEASE_MIN, LEASE_MAX));
      }
      return new Options(duration, emulator, time);
    }

    /** These options for an emulator, such as {@code localhost:8085}. */
    public Options withEmulator(String address) {
      return new Options(lease, address, time);
    }

    /** These options with another clock. */
    public Options withTime(TimeSource source) {
      return new Options(lease, emulator, source);
    }
  }
}
