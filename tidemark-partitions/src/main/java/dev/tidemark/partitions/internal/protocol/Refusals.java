package dev.tidemark.partitions.internal.protocol;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.wire.Refusal;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import java.time.Duration;

/** A {@link PartitionException} on the wire: as a message, and as the end of a failed call. */
public final class Refusals {
  private static final Metadata.Key<Refusal> TRAILER =
      ProtoUtils.keyForProto(Refusal.getDefaultInstance());

  private Refusals() {}

  /** What the other side is told. */
  public static Refusal toWire(PartitionException refused) {
    return Refusal.newBuilder()
        .setReason(Refusal.Reason.valueOf(refused.reason().name()))
        .setMessage(refused.getMessage())
        .setRoutingVersion(refused.routingVersion().orElse(0))
        .setRetryAfterMicros(refused.retryAfter().toNanos() / 1_000)
        .build();
  }

  /** What the other side told. */
  public static PartitionException fromWire(Refusal refusal) {
    PartitionException refused =
        new PartitionException(reason(refusal.getReason()), refusal.getMessage());
    if (refusal.getRoutingVersion() > 0) {
      refused = refused.atRoutingVersion(refusal.getRoutingVersion());
    }
    return refused.retryAfter(Duration.ofNanos(refusal.getRetryAfterMicros() * 1_000));
  }

  private static Reason reason(Refusal.Reason wire) {
    return switch (wire) {
      case REASON_UNSPECIFIED, UNRECOGNIZED -> Reason.REFUSED;
      default -> Reason.valueOf(wire.name());
    };
  }

  /** The end of a call that failed. */
  public static StatusRuntimeException toStatus(PartitionException refused) {
    Metadata trailers = new Metadata();
    trailers.put(TRAILER, toWire(refused));
    return codeOf(refused.reason())
        .withDescription(refused.getMessage())
        .asRuntimeException(trailers);
  }

  /**
   * Why a call failed. Without a refusal in the trailer the transport failed, and it is not known
   * whether the call was carried out.
   */
  public static PartitionException fromStatus(StatusRuntimeException failure) {
    Metadata trailers = failure.getTrailers();
    Refusal refusal = trailers == null ? null : trailers.get(TRAILER);
    if (refusal != null) {
      return fromWire(refusal);
    }
    Status status = failure.getStatus();
    String message = "The call ended with " + status.getCode() + ": " + status.getDescription();
    return switch (status.getCode()) {
      case INVALID_ARGUMENT, UNIMPLEMENTED, OUT_OF_RANGE ->
          new PartitionException(Reason.INVALID, message, failure);
      case UNAUTHENTICATED, PERMISSION_DENIED ->
          new PartitionException(Reason.REFUSED, message, failure);
      case DEADLINE_EXCEEDED -> new PartitionException(Reason.TIMED_OUT, message, failure);
      default -> new PartitionException(Reason.IN_DOUBT, message, failure);
    };
  }

  private static Status codeOf(Reason reason) {
    return switch (reason) {
      case MOVED, REFUSED -> Status.FAILED_PRECONDITION;
      case BUSY, NO_LEASE, RELOADED -> Status.ABORTED;
      case TIMED_OUT -> Status.DEADLINE_EXCEEDED;
      case NOT_FOUND -> Status.NOT_FOUND;
      case INVALID -> Status.INVALID_ARGUMENT;
      case FAILED, IN_DOUBT, CORRUPT -> Status.INTERNAL;
      case FORGOTTEN -> Status.OUT_OF_RANGE;
    };
  }
}
