package dev.tidemark.remote.internal;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** A request of a client, with those who wait for its reply. */
final class Call {
  private final Request request;
  private final int startTick;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.IN_LINE);

  /** Parts of a scan; written by the thread that receives, before the outcome is there. */
  private final List<ByteString> parts = new ArrayList<>(1);

  private enum Stage {
    /** Nothing has left this process; the call may still be withdrawn. */
    IN_LINE,
    SENT,
    WITHDRAWN
  }

  private sealed interface Outcome {
    record Answered(Reply reply) implements Outcome {}

    record Lost(String why, boolean sent) implements Outcome {}

    record Closed(String why, boolean sent) implements Outcome {}
  }

  /** A call that begins at {@code startTick} of its client's timer. */
  Call(Request request, int startTick) {
    this.request = request;
    this.startTick = startTick;
  }

  Request request() {
    return request;
  }

  long id() {
    return request.getId();
  }

  int size() {
    return request.getSerializedSize();
  }

  boolean isOlderThan(int tick) {
    return startTick - tick < 0;
  }

  /** Whether the sender may have it; false if it was withdrawn. */
  boolean take() {
    return stage.compareAndSet(Stage.IN_LINE, Stage.SENT);
  }

  private boolean withdraw() {
    return stage.compareAndSet(Stage.IN_LINE, Stage.WITHDRAWN);
  }

  /** Takes {@code reply}; returns whether it was the last one. */
  boolean answer(Reply reply) {
    if (reply.hasRows()) {
      Rows rows = reply.getRows();
      parts.add(rows.getPacked());
      if (rows.getUnfinished()) {
        return false;
      }
    }
    outcome.complete(new Outcome.Answered(reply));
    return true;
  }

  /** Ends a call that will get no reply, because {@code why}. */
  void lose(String why) {
    boolean sent = !withdraw();
    outcome.complete(new Outcome.Lost(why, sent));
  }

  /** Ends a call of which nothing has left this process; false if it has. */
  boolean loseUnsent(String why) {
    boolean unsent = withdraw();
    if (unsent) {
      outcome.complete(new Outcome.Lost(why, false));
    }
    return unsent;
  }

  /** Ends a call because its client was closed. */
  void close(String why) {
    boolean sent = !withdraw();
    outcome.complete(new Outcome.Closed(why, sent));
  }

  /** Parts of a scan, after the last reply. */
  List<ByteString> parts() {
    return parts;
  }

  /** The reply to a request that changes nothing; waits at most {@code nanos}. */
  Reply await(long nanos) {
    try {
      return switch (within(nanos)) {
        case Outcome.Answered(Reply reply) when reply.hasFailure() ->
            throw Failures.toException(reply.getFailure(), false);
        case Outcome.Answered(Reply reply) -> reply;
        case Outcome.Lost(String why, boolean sent) -> throw unavailable(why);
        case Outcome.Closed(String why, boolean sent) ->
            throw TransactionClosedException.databaseClosed(why);
      };
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for a reply", interrupt);
    } catch (TimeoutException timeout) {
      throw new TransactionTimedOutException(
          "The transaction's timeout was over before a reply came", false);
    }
  }

  /**
   * The reply to a commit; waits at most {@code nanosLeft}. An interrupt withdraws the commit if
   * nothing of it has left this process, and is put off otherwise.
   */
  Reply awaitCommit(LongSupplier nanosLeft) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return committed(within(nanosLeft.getAsLong()));
        } catch (InterruptedException interrupt) {
          interrupted = true;
          if (withdraw()) {
            throw new InterruptedOperationException(
                "Interrupted before the commit was sent; nothing was written", interrupt);
          }
        }
      }
    } catch (TimeoutException timeout) {
      if (withdraw()) {
        throw timedOutUnsent();
      }
      throw new TransactionTimedOutException(
          "The transaction's timeout was over after the commit was sent and before its reply",
          true);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static TransactionTimedOutException timedOutUnsent() {
    return new TransactionTimedOutException(
        "The timeout was over before the commit was sent; nothing was written", false);
  }

  private static Reply committed(Outcome result) {
    return switch (result) {
      case Outcome.Answered(Reply reply) when reply.hasFailure() ->
          throw Failures.toException(reply.getFailure(), true);
      case Outcome.Answered(Reply reply) -> reply;
      case Outcome.Lost(String why, boolean sent) ->
          throw sent ? new CommitUnknownException(why, null) : unavailable(why);
      case Outcome.Closed(String why, boolean sent) ->
          throw sent
              ? new CommitUnknownException(why, null)
              : TransactionClosedException.databaseClosed(why);
    };
  }

  private Outcome within(long nanos) throws InterruptedException, TimeoutException {
    try {
      // Without a timeout the client's own timer ends the call.
      return nanos == Long.MAX_VALUE ? outcome.get() : outcome.get(nanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("Calls end with an outcome", impossible);
    }
  }

  private static DatabaseException unavailable(String why) {
    return new UnavailableException(Failures.PROCESS_BEHIND, why, null);
  }
}
