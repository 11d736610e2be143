package dev.tidemark.partitions.internal.client;

import dev.tidemark.grpc.internal.frames.OneOutcome;
import dev.tidemark.grpc.internal.frames.Sleepers;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.wire.SendReply;
import dev.tidemark.partitions.internal.wire.SendRequest;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A request in a stream, with the thread that waits for its reply. */
final class SentRequest {
  private final RequestStream stream;
  private final long number;
  private final int size;
  private final OneOutcome<Outcome> outcome = new OneOutcome<>();
  private final AtomicBoolean inLine = new AtomicBoolean(true);

  /** Null once nobody waits for the reply; the request may still be queued then. */
  private volatile @Nullable SendRequest message;

  private sealed interface Outcome {
    record Replied(SendReply reply) implements Outcome {}

    record Lost(PartitionException why) implements Outcome {}
  }

  SentRequest(RequestStream stream, SendRequest message) {
    this.stream = stream;
    this.number = message.getNumber();
    this.size = message.getSerializedSize();
    this.message = message;
  }

  long number() {
    return number;
  }

  int size() {
    return size;
  }

  /** Takes the request out of the count of queued ones; false if it was not counted any more. */
  boolean leaveLine() {
    return inLine.get() && inLine.compareAndSet(true, false);
  }

  /** For the sender; null if the request is not to be sent any more. */
  @Nullable SendRequest message() {
    return message;
  }

  /** Completes the request with its reply; {@code woken} wakes the thread that waits for it. */
  void replied(SendReply reply, Sleepers woken) {
    woken.add(outcome.completeQuietly(new Outcome.Replied(reply)));
  }

  /** No reply will come over this stream. */
  void lost(PartitionException why) {
    outcome.complete(new Outcome.Lost(why));
  }

  /**
   * The answer.
   *
   * @throws PartitionException what the server refused, why the stream was lost, or TIMED_OUT if
   *     neither reply nor loss came within {@code limit}
   */
  byte[] await(Duration limit) {
    return await(limit, limit, () -> {});
  }

  /** The same; after {@code patience} without an answer {@code silence} is called, once. */
  byte[] await(Duration limit, Duration patience, Runnable silence) {
    try {
      return switch (outcome(limit, patience, silence)) {
        case Outcome.Replied(SendReply reply) -> answer(reply);
        case Outcome.Lost(PartitionException why) -> throw why;
      };
    } catch (TimeoutException late) {
      throw new PartitionException(
          Reason.TIMED_OUT,
          "The server at %s did not answer within %s; the request may have been carried out"
              .formatted(stream.address(), limit),
          late);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for a reply", interrupt);
    } finally {
      message = null;
      stream.forget(this);
    }
  }

  private Outcome outcome(Duration limit, Duration patience, Runnable silence)
      throws InterruptedException, TimeoutException {
    if (patience.compareTo(limit) < 0) {
      try {
        return outcome.await(patience.toNanos());
      } catch (TimeoutException silent) {
        silence.run();
      }
      return outcome.await(limit.minus(patience).toNanos());
    }
    return outcome.await(limit.toNanos());
  }

  private static byte[] answer(SendReply reply) {
    if (reply.hasRefusal()) {
      throw Refusals.fromWire(reply.getRefusal());
    }
    return reply.getPayload().toByteArray();
  }
}
