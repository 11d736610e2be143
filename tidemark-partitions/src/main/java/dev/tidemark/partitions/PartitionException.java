package dev.tidemark.partitions;

import dev.tidemark.kv.TidemarkException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A request to a partition, or an operation on one, was refused or failed. */
public final class PartitionException extends TidemarkException {
  private static final long serialVersionUID = 1;

  /** Why, so that a program can decide what to do. */
  public enum Reason {
    /**
     * The server does not own the partition, or the epoch or range of the request is out of date.
     */
    MOVED(true),
    /** The partition has no room for another request, or is being moved. Nothing was done. */
    BUSY(true),
    /** The server does not know that it still has its lease. Nothing was done. */
    NO_LEASE(true),
    /**
     * The actor's state was dropped, because of another request's failure, before this request was
     * durable. Nothing of it was kept.
     */
    RELOADED(true),
    /** No answer came in time. The request may have been carried out. */
    TIMED_OUT(false),
    /** The log could not be written, and it is not known whether it was. */
    IN_DOUBT(false),
    /** The actor threw an exception. Nothing of the request was kept. */
    FAILED(false),
    /** There is no such actor type, partition, node or operation. */
    NOT_FOUND(false),
    /** The request cannot be carried out as it is. */
    INVALID(false),
    /** The state of the cluster does not allow it now. */
    REFUSED(false),
    /** The repeated request is so old that its answer was forgotten. */
    FORGOTTEN(false),
    /** What the store has of the partition cannot be read. */
    CORRUPT(false);

    private final boolean retryable;

    Reason(boolean retryable) {
      this.retryable = retryable;
    }

    /** Whether nothing was done, and the same request may succeed a little later. */
    public boolean isRetryable() {
      return retryable;
    }
  }

  private final Reason reason;
  private final long routingVersion;
  private final Duration retryAfter;

  /** For {@code reason}, described by {@code message}. */
  public PartitionException(Reason reason, String message) {
    this(reason, message, -1, Duration.ZERO, null);
  }

  /** For {@code reason}, described by {@code message}, because of {@code cause}. */
  public PartitionException(Reason reason, String message, Throwable cause) {
    this(reason, message, -1, Duration.ZERO, cause);
  }

  private PartitionException(
      Reason reason,
      String message,
      long routingVersion,
      Duration retryAfter,
      @Nullable Throwable cause) {
    super(message, cause);
    this.reason = Objects.requireNonNull(reason, "reason is null");
    this.routingVersion = routingVersion;
    this.retryAfter = retryAfter;
  }

  /** The same, with the version of the routing table in which the answer can be found. */
  public PartitionException atRoutingVersion(long version) {
    return new PartitionException(reason, getMessage(), version, retryAfter, getCause());
  }

  /** The same, with advice when to try again. */
  public PartitionException retryAfter(Duration delay) {
    return new PartitionException(reason, getMessage(), routingVersion, delay, getCause());
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }

  /** The newest routing version that the server which refused the request knows of, if any. */
  public OptionalLong routingVersion() {
    return routingVersion < 0 ? OptionalLong.empty() : OptionalLong.of(routingVersion);
  }

  /** How long to wait before another try; zero where there is no advice. */
  public Duration retryAfter() {
    return retryAfter;
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNullElse(super.getMessage(), reason.name());
  }
}
