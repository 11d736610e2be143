package dev.tidemark.partitions.internal.manager;

import dev.tidemark.coordination.FencedException;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.protocol.Refusals;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.lang.System.Logger.Level;
import java.util.function.Supplier;

/** Ends calls: with what a supplier returns, or with why it could not. */
final class Replies {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");

  private Replies() {}

  static <T> void answer(StreamObserver<T> observer, Supplier<T> reply) {
    T answer;
    try {
      answer = reply.get();
    } catch (Throwable failure) {
      observer.onError(end(failure));
      return;
    }
    observer.onNext(answer);
    observer.onCompleted();
  }

  static Throwable end(Throwable failure) {
    return switch (failure) {
      case PartitionException refused -> Refusals.toStatus(refused);
      case UsageException invalid ->
          Refusals.toStatus(new PartitionException(Reason.INVALID, text(invalid)));
      case FencedException over ->
          Refusals.toStatus(new PartitionException(Reason.REFUSED, text(over)));
      case DatabaseException outage ->
          Status.UNAVAILABLE.withDescription(text(outage)).asRuntimeException();
      default -> {
        LOG.log(Level.ERROR, "A call failed", failure);
        yield Status.INTERNAL.withDescription(failure.toString()).asRuntimeException();
      }
    };
  }

  private static String text(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }
}
