package dev.tidemark.loader.gcp.internal.pubsub;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.GrpcCallContext;
import com.google.api.gax.grpc.GrpcTransportChannel;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.DeadlineExceededException;
import com.google.api.gax.rpc.ErrorDetails;
import com.google.api.gax.rpc.FailedPreconditionException;
import com.google.api.gax.rpc.FixedTransportChannelProvider;
import com.google.api.gax.rpc.UnaryCallable;
import com.google.cloud.pubsub.v1.stub.GrpcSubscriberStub;
import com.google.cloud.pubsub.v1.stub.SubscriberStub;
import com.google.cloud.pubsub.v1.stub.SubscriberStubSettings;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.ReceivedMessage;
import dev.tidemark.kv.Backoff;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.loader.SourceException;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls to one subscription, each with a deadline. The client's own retries are off: the loader has
 * its own, which know its time budget.
 */
public final class Subscription implements AutoCloseable {
  /** What Google's own client sends at once. */
  public static final int RECEIPTS_MAX = 1_000;

  /** The service takes requests of 512 KiB. */
  private static final int REQUEST_BYTES_MAX = 400_000;

  /** The service answers with about 10 MB at most; gRPC's own limit is 4 MB. */
  private static final int ANSWER_BYTES_MAX = 32 << 20;

  private static final Duration CALL_MAX = Duration.ofSeconds(10);

  /** A server answers an empty pull a while before the deadline of the call. */
  private static final Duration ANSWER_MARGIN = Duration.ofSeconds(1);

  private static final Duration END_MAX = Duration.ofSeconds(5);
  private static final int TRANSIENT_ATTEMPTS = 5;
  private static final Backoff PAUSES =
      Backoff.of(Duration.ofMillis(100), Duration.ofSeconds(2)).withAtLeastHalf();

  private final String name;
  private final SubscriberStub stub;
  private final @Nullable ManagedChannel ownChannel;
  private final TimeSource time;

  private Subscription(
      String name, SubscriberStub stub, @Nullable ManagedChannel ownChannel, TimeSource time) {
    this.name = name;
    this.stub = stub;
    this.ownChannel = ownChannel;
    this.time = time;
  }

  /**
   * Opens a subscription by its full name; nothing is asked of it yet.
   *
   * @param emulator host and port of an emulator, which is spoken to without TLS and credentials
   */
  public static Subscription open(String name, Optional<String> emulator, TimeSource time) {
    ManagedChannel channel =
        emulator
            .<ManagedChannel>map(
                address ->
                    ManagedChannelBuilder.forTarget(address)
                        .usePlaintext()
                        .maxInboundMessageSize(ANSWER_BYTES_MAX)
                        .build())
            .orElse(null);
    try {
      return new Subscription(name, GrpcSubscriberStub.create(settings(channel)), channel, time);
    } catch (IOException | RuntimeException failure) {
      if (channel != null) {
        channel.shutdownNow();
      }
      throw SourceException.lasting(
          "Pub/Sub cannot be reached for %s: %s. Are there credentials? (gcloud auth application-default login, or a service account)"
              .formatted(name, failure.getMessage()),
          failure);
    }
  }

  private static SubscriberStubSettings settings(@Nullable ManagedChannel channel)
      throws IOException {
    SubscriberStubSettings.Builder settings = SubscriberStubSettings.newBuilder();
    if (channel != null) {
      settings
          .setTransportChannelProvider(
              FixedTransportChannelProvider.create(GrpcTransportChannel.create(channel)))
          .setCredentialsProvider(NoCredentialsProvider.create());
    }
    settings.pullSettings().setRetryableCodes(Set.of());
    settings.acknowledgeSettings().setRetryableCodes(Set.of());
    settings.modifyAckDeadlineSettings().setRetryableCodes(Set.of());
    return settings.build();
  }

  /** The next messages, none if none came in time. */
  public List<ReceivedMessage> pull(int max, Duration wait) {
    PullRequest request =
        PullRequest.newBuilder()
            .setSubscription(name)
            .setMaxMessages(Math.min(max, RECEIPTS_MAX))
            .build();
    try {
      return call(stub.pullCallable(), request, wait.plus(ANSWER_MARGIN)).getReceivedMessagesList();
    } catch (DeadlineExceededException nothingCame) {
      return List.of();
    } catch (ApiException failure) {
      throw failed("pull from", failure);
    }
  }

  /**
   * Acknowledges, and returns how many receipts are lost. Without exactly-once delivery an answer
   * only says that the request arrived.
   */
  public int acknowledge(List<String> receipts) {
    int lost = 0;
    for (List<String> request : requests(receipts)) {
      lost += settled("acknowledge to", request, this::acknowledgeOnce);
    }
    return lost;
  }

  private void acknowledgeOnce(List<String> receipts) {
    call(
        stub.acknowledgeCallable(),
        AcknowledgeRequest.newBuilder().setSubscription(name).addAllAckIds(receipts).build(),
        CALL_MAX);
  }

  /**
   * Makes a request for receipts, and returns how many of them are lost. A subscription with
   * exactly-once delivery tells of each receipt; those that failed for a passing reason are sent
   * again.
   */
  private int settled(String what, List<String> receipts, Consumer<List<String>> request) {
    int lost = 0;
    List<String> left = receipts;
    for (int attempt = 1; ; attempt++) {
      try {
        request.accept(left);
        return lost;
      } catch (FailedPreconditionException failure) {
        Map<String, String> reasons = reasonsOf(failure);
        if (reasons.isEmpty()) {
          throw failed(what, failure);
        }
        List<String> again = new ArrayList<>();
        for (String receipt : left) {
          String reason = reasons.getOrDefault(receipt, "");
          if (reason.startsWith("TRANSIENT_")) {
            again.add(receipt);
          } else if (!reason.isEmpty()) {
            lost++;
          }
        }
        left = again;
        if (left.isEmpty() || attempt == TRANSIENT_ATTEMPTS || !paused(attempt)) {
          return lost + left.size();
        }
      } catch (ApiException failure) {
        throw failed(what, failure);
      }
    }
  }

  /** Which receipts failed, and why; those that are not named have succeeded. */
  private static Map<String, String> reasonsOf(ApiException failure) {
    ErrorDetails details = failure.getErrorDetails();
    return details == null || details.getErrorInfo() == null
        ? Map.of()
        : details.getErrorInfo().getMetadataMap();
  }

  private boolean paused(int attempt) {
    try {
      PAUSES.pause(attempt, time);
      return true;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Sets the deadline of receipts; zero gives them back. Those that are lost are left alone. */
  public void modifyDeadline(List<String> receipts, Duration deadline) {
    for (List<String> each : requests(receipts)) {
      int unused =
          settled("move deadlines of", each, request -> modifyDeadlineOnce(request, deadline));
    }
  }

  private void modifyDeadlineOnce(List<String> receipts, Duration deadline) {
    call(
        stub.modifyAckDeadlineCallable(),
        ModifyAckDeadlineRequest.newBuilder()
            .setSubscription(name)
            .setAckDeadlineSeconds((int) deadline.toSeconds())
            .addAllAckIds(receipts)
            .build(),
        CALL_MAX);
  }

  private static List<List<String>> requests(List<String> receipts) {
    List<List<String>> requests = new ArrayList<>();
    int begin = 0;
    int bytes = 0;
    for (int i = 0; i < receipts.size(); i++) {
      int length = receipts.get(i).length();
      if (i > begin && (bytes + length > REQUEST_BYTES_MAX || i - begin == RECEIPTS_MAX)) {
        requests.add(receipts.subList(begin, i));
        begin = i;
        bytes = 0;
      }
      bytes += length;
    }
    if (begin < receipts.size()) {
      requests.add(receipts.subList(begin, receipts.size()));
    }
    return requests;
  }

  private static <Q, A> A call(UnaryCallable<Q, A> callable, Q request, Duration deadline) {
    return callable.call(request, GrpcCallContext.createDefault().withTimeoutDuration(deadline));
  }

  private SourceException failed(String what, ApiException failure) {
    String reason = String.valueOf(failure.getMessage());
    return switch (failure.getStatusCode().getCode()) {
      case NOT_FOUND ->
          SourceException.lasting(
              "NOT_FOUND: there is no subscription %s. Create it, or correct PROJECT_ID and SUBSCRIPTION_ID. (%s)"
                  .formatted(name, reason),
              failure);
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          SourceException.lasting(
              "%s: no permission to %s %s. The service account needs roles/pubsub.subscriber on it. (%s)"
                  .formatted(failure.getStatusCode().getCode(), what, name, reason),
              failure);
      case INVALID_ARGUMENT, FAILED_PRECONDITION, UNIMPLEMENTED, OUT_OF_RANGE ->
          SourceException.lasting(
              "Pub/Sub refuses to %s %s: %s".formatted(what, name, reason), failure);
      default ->
          SourceException.passing("Could not %s %s: %s".formatted(what, name, reason), failure);
    };
  }

  @Override
  public void close() {
    stub.close();
    if (ownChannel != null) {
      ownChannel.shutdown();
    }
    try {
      if (!stub.awaitTermination(END_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        stub.shutdownNow();
      }
      if (ownChannel != null
          && !ownChannel.awaitTermination(END_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        ownChannel.shutdownNow();
      }
    } catch (InterruptedException interrupt) {
      stub.shutdownNow();
      if (ownChannel != null) {
        ownChannel.shutdownNow();
      }
      Thread.currentThread().interrupt();
    }
  }
}
