package dev.tidemark.partitions.internal.server;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionMetrics;
import dev.tidemark.partitions.internal.engine.Ended;
import dev.tidemark.partitions.internal.engine.Engine;
import dev.tidemark.partitions.internal.log.RequestId;
import dev.tidemark.partitions.internal.wire.SendRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Passes the requests of sessions and scans to the engine, and counts them. */
final class ServedRequests {
  private final Supplier<Engine> engine;
  private final Duration longest;
  private final PartitionMetrics metrics;
  private final TimeSource time;

  ServedRequests(
      Supplier<Engine> engine, Duration longest, PartitionMetrics metrics, TimeSource time) {
    this.engine = engine;
    this.longest = longest;
    this.metrics = metrics;
    this.time = time;
  }

  Engine engine() {
    return engine.get();
  }

  long nanos() {
    return time.nanos();
  }

  /** Puts a request in the line of its partition; {@code told} hears of its end. */
  Engine.InLine enqueue(SendRequest request, Ended told) {
    return engine()
        .enqueue(
            request.getActorType(),
            request.getPartitionId(),
            request.getEpoch(),
            Key.wrap(request.getKey().toByteArray()),
            id(request),
            request.getPayload().toByteArray(),
            told);
  }

  private static Optional<RequestId> id(SendRequest request) {
    if (!request.hasRequestId() || request.getReadOnly()) {
      return Optional.empty();
    }
    ByteString client = request.getRequestId().getClient();
    if (client.isEmpty() || client.size() > RequestId.MAX_CLIENT) {
      throw new PartitionException(
          Reason.INVALID,
          "The client of a request id has %d bytes; it must have 1 to %d"
              .formatted(client.size(), RequestId.MAX_CLIENT));
    }
    return Optional.of(
        new RequestId(
            Key.wrap(client.toByteArray()),
            request.getRequestId().getSequence(),
            request.getRequestId().getSettledBelow()));
  }

  /** How long a request may take, given how long its caller waits. */
  Duration limit(long micros) {
    Duration wish = Duration.ofNanos(Math.multiplyExact(Math.clamp(micros, 0, 1L << 50), 1_000L));
    return wish.isZero() || wish.compareTo(longest) > 0 ? longest : wish;
  }

  void ended(String type, Optional<Reason> failure, long beganNanos) {
    metrics.requestEnded(type, failure, Duration.ofNanos(time.nanos() - beganNanos));
  }
}
