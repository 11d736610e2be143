package dev.tidemark.remote.internal.client;

import dev.tidemark.grpc.internal.frames.OneOutcome;
import dev.tidemark.grpc.internal.frames.Sleepers;
import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.remote.internal.transport.Failures;
import dev.tidemark.remote.internal.wire.Reply;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A request of a client, with the threads that wait for its reply. */
final class Call implements Outgoing {
  private final long id;
  private final int size;
  private final int startTick;
  private final @Nullable RowParts parts;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.IN_LINE);
  private final OneOutcome<Outcome> outcome = new OneOutcome<>();

  /** Null once it has been taken or withdrawn, though the call may be in line for long. */
  private byte @Nullable [] request;

  /** The last reply; written by the thread that receives, before the outcome is there. */
  private @Nullable ReceivedReply answer;

  private enum Stage {
    /** Nothing has left this process; the call may still be withdrawn. */
    IN_LINE,
    SENT,
    WITHDRAWN
  }

  private sealed interface Outcome {
    record Answered(ReceivedReply answer) implements Outcome {}

    record Lost(String why, boolean sent) implements Outcome {}

    record Expired(String why, boolean sent) implements Outcome {}

    record Closed(String why, boolean sent) implements Outcome {}
  }

  /**
   * A call with {@code id}, zero if it wants no reply, that begins at {@code startTick} of its
   * client's timer.
   */
  Call(long id, byte[] request, int startTick) {
    this(id, request, startTick, null);
  }

  /** A call with {@code parts} for replies that others follow. */
  Call(long id, byte[] request, int startTick, @Nullable RowParts parts) {
    this.id = id;
    this.size = request.length;
    this.request = request;
    this.startTick = startTick;
    this.parts = parts;
  }

  long id() {
    return id;
  }

  @Override
  public int size() {
    return size;
  }

  boolean isOlderThan(int tick) {
    return startTick - tick < 0;
  }

  @Override
  public byte @Nullable [] take() {
    return stage.compareAndSet(Stage.IN_LINE, Stage.SENT) ? giveUpRequest() : null;
  }

  private boolean withdraw() {
    boolean unsent = stage.compareAndSet(Stage.IN_LINE, Stage.WITHDRAWN);
    if (unsent) {
      giveUpRequest();
    }
    return unsent;
  }

  /** Only for the one thread that has ended the stage {@code IN_LINE}. */
  private byte @Nullable [] giveUpRequest() {
    byte[] given = request;
    request = null;
    return given;
  }

  /** Takes a reply; returns whether it was the last one, after which {@link #end} is due. */
  boolean answer(ReceivedReply reply) {
    if (parts != null && reply instanceof ReceivedReply.Rows rows && rows.unfinished()) {
      parts.add(rows);
      return false;
    }
    answer = reply;
    return true;
  }

  /** Wakes the waiting threads with the last reply; {@code woken} wakes most of them. */
  void end(Sleepers woken) {
    ReceivedReply last = Objects.requireNonNull(answer, "an answer has come");
    woken.add(outcome.completeQuietly(new Outcome.Answered(last)));
    endParts();
  }

  private void complete(Outcome how) {
    outcome.complete(how);
    endParts();
  }

  private void endParts() {
    if (parts != null) {
      parts.end();
    }
  }

  /** Ends a call that will get no reply, because {@code why}. */
  void lose(String why) {
    boolean sent = !withdraw();
    complete(new Outcome.Lost(why, sent));
  }

  /** Ends a call that was not answered in time, because {@code why}. */
  void expire(String why) {
    boolean sent = !withdraw();
    complete(new Outcome.Expired(why, sent));
  }

  /** Ends a call that was not sent; false if some of it was sent. */
  boolean loseUnsent(String why) {
    boolean unsent = withdraw();
    if (unsent) {
      complete(new Outcome.Lost(why, false));
    }
    return unsent;
  }

  /** Ends a call because its client was closed. */
  void close(String why) {
    boolean sent = !withdraw();
    complete(new Outcome.Closed(why, sent));
  }

  /**
   * The next rows of a scan, as soon as they are here; waits at most {@code nanos}. After the ones
   * that are not {@link ReceivedReply.Rows#unfinished} there are no more.
   */
  ReceivedReply.Rows awaitRows(long nanos) {
    ReceivedReply.Rows part = parts == null ? null : await(() -> parts.next(nanos));
    if (part != null) {
      return part;
    }
    if (await(nanos) instanceof ReceivedReply.Rows last) {
      return last;
    }
    throw unavailable("The server answered a scan with something else than rows");
  }

  /** Whether the next rows of a scan are here already. */
  boolean hasRows() {
    return parts == null || parts.isHere();
  }

  /** Any reply but those with a method of their own; waits at most {@code nanos}. */
  Reply awaitReply(long nanos) {
    if (await(nanos) instanceof ReceivedReply.Other other) {
      return other.reply();
    }
    throw unavailable("The server answered with something that was not asked for");
  }

  /** The value of a key; waits at most {@code nanos}. */
  ReceivedReply.Value awaitValue(long nanos) {
    if (await(nanos) instanceof ReceivedReply.Value value) {
      return value;
    }
    throw unavailable("The server answered a read with something else than a value");
  }

  /** The version of a reader; waits at most {@code nanos}. */
  long awaitVersion(long nanos) {
    if (await(nanos) instanceof ReceivedReply.ReaderOpened opened) {
      return opened.version();
    }
    throw unavailable("The server answered something else than that it opened a reader");
  }

  /** The reply to a request that changes nothing; waits at most {@code nanos}. */
  ReceivedReply await(long nanos) {
    Outcome result = await(() -> within(nanos));
    if (result instanceof Outcome.Answered answered) {
      return successful(answered.answer(), false);
    }
    throw failure(result, false);
  }

  @FunctionalInterface
  private interface Wait<T extends @Nullable Object> {
    T await() throws InterruptedException, TimeoutException;
  }

  private static <T extends @Nullable Object> T await(Wait<T> wait) {
    try {
      return wait.await();
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
  Commit.Position awaitCommit(LongSupplier nanosLeft) {
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

  private static Commit.Position committed(Outcome result) {
    if (result instanceof Outcome.Answered answered) {
      if (successful(answered.answer(), true) instanceof ReceivedReply.Committed committed) {
        return committed.position();
      }
      throw new CommitUnknownException("The server answered a commit with something else", null);
    }
    throw failure(result, true);
  }

  private static ReceivedReply successful(ReceivedReply answer, boolean commit) {
    if (answer instanceof ReceivedReply.Other other && other.reply().hasFailure()) {
      throw Failures.toException(other.reply().getFailure(), commit);
    }
    return answer;
  }

  private static DatabaseException failure(Outcome result, boolean commit) {
    return switch (result) {
      case Outcome.Answered answered -> throw new IllegalStateException("This is no failure");
      case Outcome.Lost(String why, boolean sent) ->
          commit && sent ? new CommitUnknownException(why, null) : unavailable(why);
      case Outcome.Expired(String why, boolean sent) ->
          commit && sent
              ? new CommitUnknownException(why, null)
              : UnavailableException.unanswered(why, null);
      case Outcome.Closed(String why, boolean sent) ->
          commit && sent
              ? new CommitUnknownException(why, null)
              : TransactionClosedException.databaseClosed(why);
    };
  }

  private Outcome within(long nanos) throws InterruptedException, TimeoutException {
    // Without a timeout the client's own timer ends the call.
    return outcome.await(nanos);
  }

  private static DatabaseException unavailable(String why) {
    return UnavailableException.unreachable(why, null);
  }
}
