package dev.tidemark.remote.internal.server;

import dev.tidemark.grpc.Caller;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.internal.frames.Outbox;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.remote.ClientLimits;
import dev.tidemark.remote.internal.transport.Envelope;
import dev.tidemark.remote.internal.transport.Failures;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.transport.MalformedFrameException;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.Failure;
import dev.tidemark.remote.internal.wire.Hello;
import dev.tidemark.remote.internal.wire.Leaving;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one client: each is answered at once, enqueued with others, or given to a thread
 * of its own. {@link Session} says when they come.
 */
final class SessionRequests {
  private final Role role;
  private final ClientLimits limits;
  private final int frameBytes;
  private final ServedStore store;
  private final int commitPartsMax;
  private final WorkUnderWay work;
  private final Outbox<byte[], Frame> outbox;
  private final BiConsumer<Long, Hello> greeting;
  private final ServedReads reads;
  private final ServedWatches watches;
  private final StoreReplies answers;
  private final PromptCommits promptCommits;
  private volatile boolean leaving;

  /**
   * Requests of {@code caller}.
   *
   * @param work counts what is at work
   * @param outbox takes the replies
   * @param hasRoom whether there is room for another reply
   * @param greeting is given the id and the body of a greeting
   */
  SessionRequests(
      StoreServer server,
      Caller caller,
      WorkUnderWay work,
      Outbox<byte[], Frame> outbox,
      BooleanSupplier hasRoom,
      BiConsumer<Long, Hello> greeting) {
    Database database = server.database();
    ServerCounters counters = server.counters();
    this.role = caller.role();
    this.limits = server.options().clientLimits();
    this.frameBytes = server.frameBytes();
    this.store = server.store();
    this.commitPartsMax = SentCommit.partsMax(database.limits().transactionBytes());
    this.work = work;
    this.outbox = outbox;
    this.greeting = greeting;
    Readers readers = new Readers(database, limits.readers(), counters.readers);
    this.reads =
        new ServedReads(readers, outbox, counters.scansConfirmed, hasRoom, this::onOwnThread);
    this.watches = new ServedWatches(database, limits.watches(), counters.watches, this::reply);
    this.answers = new StoreReplies(database, counters);
    this.promptCommits = new PromptCommits(database, counters, outbox, caller.thread());
  }

  /** Answers the greeting with the id {@code id}. */
  void welcome(long id) {
    enqueue(answers.welcome(limits, frameBytes, store).setId(id));
  }

  /** Wakes reads that wait for room to check again. */
  void roomChanged() {
    reads.roomChanged();
  }

  /** Wakes the committer for the enqueued commits. */
  void startCommits() {
    promptCommits.start();
  }

  /** Takes a request; returns the part of its work that may block. */
  @Nullable Runnable take(Envelope request) {
    Runnable waiting = null;
    try {
      switch (request.kind()) {
        case Request.OPEN_READER_FIELD_NUMBER -> reads().open(request);
        case Request.RELEASE_READER_FIELD_NUMBER -> reads.release(request);
        case Request.GET_FIELD_NUMBER -> waiting = reads().get(request);
        case Request.SCAN_ROWS_FIELD_NUMBER -> waiting = reads().scan(request);
        case Request.COMMIT_WRITES_FIELD_NUMBER -> commit(request);
        default -> waiting = take(request.id(), request.size(), parsed(request));
      }
    } catch (MalformedFrameException malformed) {
      throw malformed;
    } catch (RuntimeException failure) {
      fail(request.id(), failure);
    }
    Runnable work = waiting;
    return work == null ? null : () -> attempt(request.id(), work);
  }

  /** A request that protobuf reads, which makes an object of every field. */
  private static Request parsed(Envelope request) {
    if (request.hasMoreFieldsThan(LargeReads.KEYS_MAX + 1)) {
      throw UsageException.invalidOperation(
          "The request has more than %,d keys, which is what this server takes at once"
              .formatted(LargeReads.KEYS_MAX));
    }
    return request.whole().parse(Request::parseFrom);
  }

  private void attempt(long id, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException failure) {
      fail(id, failure);
    }
  }

  private @Nullable Runnable take(long id, int size, Request request) {
    switch (request.getBodyCase()) {
      case HELLO -> greeting.accept(id, request.getHello());
      case GET_ALL -> {
        return reads().getAll(id, size, request.getGetAll());
      }
      case WATCH_KEY -> watches.add(id, request.getWatchKey(), work.begin(size));
      case UNWATCH_KEY -> watches.remove(request.getUnwatchKey().getWatch());
      case ESTIMATE_SIZE -> later(id, size, () -> answers.size(request.getEstimateSize()));
      case FIND_SPLIT_POINTS ->
          reads()
              .answerInTurn(
                  id, size, () -> reply(id, answers.splitPoints(request.getFindSplitPoints())));
      case TIME_OF_VERSION -> later(id, size, () -> answers.timeOf(request.getTimeOfVersion()));
      case VERSION_AT_TIME -> later(id, size, () -> answers.versionAt(request.getVersionAtTime()));
      case SETTLE_COMMIT -> {
        checkMayCommit();
        reads.answerInTurn(id, size, () -> reply(id, answers.settle(request.getSettleCommit())));
      }
      case OPEN_READER, RELEASE_READER, GET, SCAN_ROWS, COMMIT_WRITES, BODY_NOT_SET ->
          throw UsageException.invalidOperation(
              "This server does not know the request; it speaks version %d of the protocol"
                  .formatted(Wire.PROTOCOL));
    }
    return null;
  }

  /** The reads, unless the server is closing. */
  private ServedReads reads() {
    checkStaying();
    return reads;
  }

  private void checkMayCommit() {
    checkStaying();
    if (!role.includes(Role.WRITE)) {
      throw UsageException.invalidOperation(
          "The token of this client is for reading only; the server takes no commits with it");
    }
  }

  private void commit(Envelope request) {
    checkMayCommit();
    long id = request.id();
    SentCommit commit = SentCommit.read(request.message(), commitPartsMax);
    Runnable end = work.begin(commit.weight());
    boolean inLine = false;
    try {
      inLine = promptCommits.putInLine(id, commit, end);
    } finally {
      if (!inLine) {
        end.run();
      }
    }
    if (!inLine) {
      onOwnThread(id, commit.weight(), () -> send(answers.commit(id, commit)));
    }
  }

  private void checkStaying() {
    if (leaving) {
      throw UnavailableException.unreachable(
          "The server is closing and takes no more requests", null);
    }
  }

  private void later(long id, int size, Supplier<Reply.Builder> answer) {
    onOwnThread(id, size, () -> send(reply(id, answer.get())));
  }

  private void onOwnThread(long id, int size, Runnable task) {
    Runnable end = work.begin(size);
    Thread.startVirtualThread(
        () -> {
          try {
            task.run();
          } catch (RuntimeException failure) {
            answer(id, failure);
          } catch (Error failure) {
            answer(id, failure);
            throw failure;
          } finally {
            end.run();
          }
        });
  }

  /** Sends the failure of a request; without an answer its client would wait in vain. */
  private void answer(long id, Throwable failure) {
    fail(id, failure);
    outbox.send();
  }

  private static byte[] reply(long id, Reply.Builder reply) {
    return ReplyFields.of(reply.setId(id).build());
  }

  private void enqueue(Reply.Builder reply) {
    outbox.enqueue(ReplyFields.of(reply.build()));
  }

  private void reply(Reply reply) {
    send(ReplyFields.of(reply));
  }

  private void send(byte[] reply) {
    outbox.enqueue(reply);
    outbox.send();
  }

  private void fail(long id, Throwable failure) {
    if (id != 0) {
      Failure wire = Failures.toWire(failure);
      enqueue(Reply.newBuilder().setId(id).setFailure(wire));
    }
  }

  /** Refuses further requests and tells the client to go elsewhere. */
  void leave() {
    leaving = true;
    reply(Reply.newBuilder().setLeaving(Leaving.getDefaultInstance()).build());
  }

  /** Ends watches and reads. */
  void close() {
    watches.closeAll();
    reads.close();
  }
}
