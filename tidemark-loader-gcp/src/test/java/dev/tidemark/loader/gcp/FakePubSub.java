package dev.tidemark.loader.gcp;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.SubscriberGrpc;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A subscription of Pub/Sub in this process, spoken to by the real client. Messages are leased for
 * as long as the client says, on real time; a test can end all leases. Failures are scripted: a
 * request fails before or after its effect, or single receipts fail as on a subscription with
 * exactly-once delivery.
 */
final class FakePubSub implements AutoCloseable {
  static final String PROJECT = "some-project";
  static final String SUBSCRIPTION = "readings";

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Server server;
  private final String name;

  // Guarded by lock.
  private final Map<String, PubsubMessage> unacked = new LinkedHashMap<>();
  private final Deque<String> waiting = new ArrayDeque<>();
  private final Map<String, Lease> leases = new HashMap<>();
  private final Map<String, Integer> attempts = new HashMap<>();
  private final Deque<Fault> faults = new ArrayDeque<>();
  private final Map<String, Deque<String>> receiptFaults = new HashMap<>();
  private final Map<String, Deque<String>> deadlineFaults = new HashMap<>();
  private final Set<String> acked = new TreeSet<>();
  private final List<Integer> ackSizes = new ArrayList<>();
  private final List<Integer> extensions = new ArrayList<>();
  private boolean exactlyOnce;
  private int receipts;
  private int nacks;
  private int pulls;
  private int largestPull;
  private long firstPull;

  /** A request of a method that fails, before or after its effect. */
  record Fault(String method, Status status, boolean afterwards) {}

  private record Lease(String message, long until) {}

  FakePubSub() throws IOException {
    this(PROJECT);
  }

  FakePubSub(String project) throws IOException {
    name = "projects/%s/subscriptions/%s".formatted(project, SUBSCRIPTION);
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new Subscriber())
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build()
            .start();
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  void publish(String id, Instant at, Map<String, String> attributes) {
    PubsubMessage message =
        PubsubMessage.newBuilder()
            .setMessageId(id)
            .setPublishTime(
                Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano()))
            .putAllAttributes(attributes)
            .setData(ByteString.copyFromUtf8("{\"power\":\"7\"}"))
            .build();
    locked(
        () -> {
          unacked.put(id, message);
          waiting.add(id);
          arrived.signalAll();
          return id;
        });
  }

  /** Delivers a message once more, although it may be leased. */
  void deliverAgain(String id) {
    locked(() -> unacked.containsKey(id) && waiting.add(id));
  }

  void exactlyOnce() {
    exactlyOnce = true;
  }

  void fail(Fault fault, int times) {
    locked(
        () -> {
          for (int i = 0; i < times; i++) {
            faults.add(fault);
          }
          return times;
        });
  }

  /** The acknowledgements of a message fail for these reasons, one after the other. */
  void failReceipts(String message, String... reasons) {
    locked(() -> receiptFaults.put(message, new ArrayDeque<>(List.of(reasons))));
  }

  /** Changes of the deadline of a message fail for these reasons, one after the other. */
  void failDeadlines(String message, String... reasons) {
    locked(() -> deadlineFaults.put(message, new ArrayDeque<>(List.of(reasons))));
  }

  /** All leases end now, as when the process that holds them has died. */
  void expireAll() {
    locked(
        () -> {
          leases.values().forEach(lease -> giveBack(lease.message()));
          leases.clear();
          return 0;
        });
  }

  int backlog() {
    return locked(unacked::size);
  }

  int leased() {
    return locked(leases::size);
  }

  Set<String> acked() {
    return locked(() -> new TreeSet<>(acked));
  }

  List<Integer> ackSizes() {
    return locked(() -> List.copyOf(ackSizes));
  }

  List<Integer> extensions() {
    return locked(() -> List.copyOf(extensions));
  }

  int nacks() {
    return locked(() -> nacks);
  }

  int pulls() {
    return locked(() -> pulls);
  }

  int largestPull() {
    return locked(() -> largestPull);
  }

  /** When the first pull came, in the machine's nanoseconds. */
  long firstPullNanos() {
    return locked(() -> firstPull);
  }

  private void giveBack(String message) {
    if (unacked.containsKey(message)) {
      waiting.add(message);
      arrived.signalAll();
    }
  }

  private <T> T locked(Supplier<T> step) {
    lock.lock();
    try {
      return step.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(30, TimeUnit.SECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  /** The service. */
  private final class Subscriber extends SubscriberGrpc.SubscriberImplBase {
    private Fault fault(String method, String subscription) {
      if (!subscription.equals(name)) {
        return new Fault(
            method, Status.NOT_FOUND.withDescription("Resource not found " + subscription), false);
      }
      return locked(
          () -> {
            for (Fault each : faults) {
              if (each.method().equals(method)) {
                faults.removeFirstOccurrence(each);
                return each;
              }
            }
            return new Fault(method, Status.OK, false);
          });
    }

    private <T> void answer(Fault fault, StreamObserver<T> observer, Supplier<T> effect) {
      if (!fault.status().isOk() && !fault.afterwards()) {
        observer.onError(fault.status().asRuntimeException());
        return;
      }
      try {
        T result = effect.get();
        if (!fault.status().isOk()) {
          observer.onError(fault.status().asRuntimeException());
          return;
        }
        observer.onNext(result);
        observer.onCompleted();
      } catch (RuntimeException failure) {
        observer.onError(failure);
      }
    }

    @Override
    public void pull(PullRequest request, StreamObserver<PullResponse> observer) {
      Fault fault = fault("pull", request.getSubscription());
      answer(fault, observer, () -> locked(() -> take(request.getMaxMessages())));
    }

    private PullResponse take(int max) {
      firstPull = pulls++ == 0 ? System.nanoTime() : firstPull;
      Deadline deadline = Context.current().getDeadline();
      long left = deadline == null ? 0 : deadline.timeRemaining(TimeUnit.NANOSECONDS);
      left -= TimeUnit.MILLISECONDS.toNanos(1_200);
      expire();
      try {
        while (waiting.isEmpty() && left > 0) {
          left = arrived.awaitNanos(left);
          expire();
        }
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
      }
      PullResponse.Builder response = PullResponse.newBuilder();
      while (!waiting.isEmpty() && response.getReceivedMessagesCount() < max) {
        String id = waiting.remove();
        PubsubMessage message = unacked.get(id);
        if (message != null) {
          String receipt = "receipt-%d-%s".formatted(receipts++, id);
          leases.put(receipt, new Lease(id, System.nanoTime() + TimeUnit.SECONDS.toNanos(10)));
          response.addReceivedMessages(
              ReceivedMessage.newBuilder()
                  .setAckId(receipt)
                  .setDeliveryAttempt(attempts.merge(id, 1, Integer::sum))
                  .setMessage(message));
        }
      }
      largestPull = Math.max(largestPull, response.getReceivedMessagesCount());
      return response.build();
    }

    private void expire() {
      long now = System.nanoTime();
      leases
          .values()
          .removeIf(
              lease -> {
                boolean over = now - lease.until() > 0;
                if (over) {
                  giveBack(lease.message());
                }
                return over;
              });
    }

    @Override
    public void acknowledge(AcknowledgeRequest request, StreamObserver<Empty> observer) {
      Fault fault = fault("acknowledge", request.getSubscription());
      answer(fault, observer, () -> locked(() -> ack(request.getAckIdsList())));
    }

    private Empty ack(List<String> ids) {
      expire();
      ackSizes.add(ids.size());
      Map<String, String> failed = new LinkedHashMap<>();
      for (String id : ids) {
        String reason = ack(id);
        if (!reason.isEmpty()) {
          failed.put(id, reason);
        }
      }
      refuse(failed);
      return Empty.getDefaultInstance();
    }

    private static void refuse(Map<String, String> failed) {
      if (!failed.isEmpty()) {
        throw StatusProto.toStatusRuntimeException(
            com.google.rpc.Status.newBuilder()
                .setCode(Code.FAILED_PRECONDITION_VALUE)
                .setMessage("Some acknowledgement ids in the request were invalid")
                .addDetails(
                    Any.pack(
                        ErrorInfo.newBuilder()
                            .setReason("EXACTLY_ONCE_ACKID_FAILURE")
                            .setDomain("pubsub.googleapis.com")
                            .putAllMetadata(failed)
                            .build()))
                .build());
      }
    }

    private String ack(String receipt) {
      Lease lease = leases.get(receipt);
      if (lease == null) {
        return exactlyOnce ? "PERMANENT_FAILURE_INVALID_ACK_ID" : "";
      }
      Deque<String> reasons = receiptFaults.getOrDefault(lease.message(), new ArrayDeque<>());
      if (!reasons.isEmpty()) {
        String reason = reasons.remove();
        if (reason.startsWith("PERMANENT_")) {
          leases.remove(receipt);
          giveBack(lease.message());
        }
        return reason;
      }
      leases.remove(receipt);
      unacked.remove(lease.message());
      acked.add(lease.message());
      return "";
    }

    @Override
    public void modifyAckDeadline(
        ModifyAckDeadlineRequest request, StreamObserver<Empty> observer) {
      Fault fault = fault("modifyAckDeadline", request.getSubscription());
      answer(fault, observer, () -> locked(() -> move(request)));
    }

    private Empty move(ModifyAckDeadlineRequest request) {
      if (request.getAckDeadlineSeconds() > 600) {
        throw Status.INVALID_ARGUMENT.withDescription("deadline").asRuntimeException();
      }
      expire();
      Map<String, String> failed = new LinkedHashMap<>();
      for (String receipt : request.getAckIdsList()) {
        Lease lease = leases.get(receipt);
        Deque<String> reasons =
            lease == null
                ? new ArrayDeque<>()
                : deadlineFaults.getOrDefault(lease.message(), new ArrayDeque<>());
        if (!reasons.isEmpty()) {
          failed.put(receipt, reasons.remove());
        } else if (lease != null && request.getAckDeadlineSeconds() == 0) {
          leases.remove(receipt);
          giveBack(lease.message());
          nacks++;
        } else if (lease != null) {
          long until =
              System.nanoTime() + TimeUnit.SECONDS.toNanos(request.getAckDeadlineSeconds());
          leases.put(receipt, new Lease(lease.message(), until));
        }
      }
      if (request.getAckDeadlineSeconds() > 0) {
        extensions.add(request.getAckIdsCount());
      }
      refuse(failed);
      return Empty.getDefaultInstance();
    }
  }
}
