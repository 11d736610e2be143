package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.log.Journals;
import dev.tidemark.partitions.internal.log.RequestId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** The actors of one start of a server: requests to them, and their life in memory. */
public final class Engine implements AutoCloseable {
  private static final int CLOSED_AT_A_TIME = 16;

  private final Map<String, ActorType<Object, Object>> types;
  private final Journals journals;
  private final TimeSource time;
  private final ConcurrentHashMap<String, PartitionCell> cells = new ConcurrentHashMap<>();
  private final Activation activation;
  private final Housekeeping housekeeping;
  private volatile boolean closed;

  public Engine(
      Collection<? extends ActorType<?, ?>> types,
      Journals journals,
      EngineOptions options,
      NodeLease lease,
      TimeSource time) {
    this.types = byName(types);
    this.journals = journals;
    this.time = time;
    this.activation = new Activation(this.types, journals, options, lease, time, cells);
    this.housekeeping = new Housekeeping(cells, activation, options, time);
  }

  /**
   * Checks the actor types of a server before anything is opened.
   *
   * @throws PartitionException INVALID if there is none, or two have the same name
   */
  public static void checkTypes(Collection<? extends ActorType<?, ?>> types) {
    if (byName(types).isEmpty()) {
      throw new PartitionException(Reason.INVALID, "A server needs at least one actor type");
    }
  }

  @SuppressWarnings("unchecked") // a type is used with what its own codecs make
  private static Map<String, ActorType<Object, Object>> byName(
      Collection<? extends ActorType<?, ?>> types) {
    Map<String, ActorType<Object, Object>> byName = new HashMap<>();
    for (ActorType<?, ?> type : types) {
      if (byName.put(type.name(), (ActorType<Object, Object>) type) != null) {
        throw new PartitionException(
            Reason.INVALID, "The actor type %s comes twice".formatted(type.name()));
      }
    }
    return Map.copyOf(byName);
  }

  /** Starts to look for idle actors and old logs. */
  public void start() {
    housekeeping.start();
  }

  /** What the manager asks of this engine. */
  public EngineHost host(String node, long incarnation) {
    return new EngineHost(node, incarnation, cells, activation, journals, this::cell, time);
  }

  /**
   * The answer of a partition's actor.
   *
   * @param epoch the epoch that the caller believes in
   * @param key the key that the request is about
   * @param id identifies the request through repetitions; without it, a repetition is a new request
   */
  public byte[] send(
      String type,
      String partition,
      long epoch,
      Key key,
      Optional<RequestId> id,
      byte[] payload,
      Duration timeout) {
    Object request = decode(type, payload);
    return carryOut(
        partition,
        () -> new PartitionCall.Send(time, type, epoch, key, id, request),
        timeout,
        "A request to " + partition);
  }

  /** An enqueued request. The thread that began it asks for the answer later. */
  public interface Begun {
    /** The answer, when it is there. */
    byte[] await(Duration timeout);
  }

  /**
   * Enqueues a request as {@link #send} does, without waiting, so that one thread can have several
   * requests queued.
   */
  public Begun begin(
      String type, String partition, long epoch, Key key, Optional<RequestId> id, byte[] payload) {
    Object request = decode(type, payload);
    NewCall<byte[]> calls = () -> new PartitionCall.Send(time, type, epoch, key, id, request);
    PartitionCall<byte[]> call = submit(partition, calls.create());
    return timeout -> finish(partition, call, calls, timeout, "A request to " + partition);
  }

  /** A request that no thread waits for. */
  public interface InLine {
    /** Ends it because of {@code why}, unless it has ended. It may have been carried out. */
    void expire(PartitionException why);
  }

  /**
   * As {@link #send}, for a request that no thread waits for: {@code told} hears of its end. It is
   * carried out by the partition's own thread, never by this one.
   */
  public InLine enqueue(
      String type,
      String partition,
      long epoch,
      Key key,
      Optional<RequestId> id,
      byte[] payload,
      Ended told) {
    Object request = decode(type, payload);
    UnawaitedRequest.Calls calls =
        new UnawaitedRequest.Calls() {
          @Override
          public PartitionCall<?> begin(Ended ended) {
            PartitionCall<byte[]> call =
                new PartitionCall.Told(time, type, epoch, key, id, request, ended);
            while (!cell(partition).putInLine(call)) {
              Thread.onSpinWait();
            }
            return call;
          }

          @Override
          public PartitionCall<?> beginAgain(Ended ended, PartitionException moved) {
            if (!isBehind(partition, epoch)) {
              throw moved;
            }
            cell(partition).refresh();
            return begin(ended);
          }

          @Override
          public PartitionException explained(PartitionException failure) {
            return failure.reason() == Reason.MOVED ? withRoutingVersion(failure) : failure;
          }
        };
    UnawaitedRequest unawaited = new UnawaitedRequest(calls, told);
    unawaited.begin();
    return unawaited;
  }

  /** A page of a range of a partition. */
  public EncodedPage scan(
      String type,
      String partition,
      long epoch,
      PartitionRange range,
      int limit,
      byte[] payload,
      Duration timeout) {
    Object query = decode(type, payload);
    return carryOut(
        partition,
        () -> new PartitionCall.Scan(time, type, epoch, range, limit, query),
        timeout,
        "A scan of " + partition);
  }

  private Object decode(String name, byte[] payload) {
    ActorType<Object, Object> type = types.get(name);
    if (type == null) {
      throw new PartitionException(
          Reason.NOT_FOUND,
          "This server has no actor type %s; it has %s".formatted(name, types.keySet()));
    }
    try {
      return type.requests().decode(payload);
    } catch (RuntimeException | Error malformed) { // the codec is code of others, like the actor
      throw new PartitionException(
          Reason.INVALID,
          "A request of %,d bytes is none of the actor type %s: %s"
              .formatted(payload.length, name, malformed),
          malformed);
    }
  }

  private interface NewCall<T> {
    PartitionCall<T> create();
  }

  private <T> T carryOut(String partition, NewCall<T> calls, Duration timeout, String what) {
    return finish(partition, submit(partition, calls.create()), calls, timeout, what);
  }

  private <T> T finish(
      String partition, PartitionCall<T> call, NewCall<T> calls, Duration timeout, String what) {
    try {
      return call.await(timeout, what);
    } catch (PartitionException failure) {
      if (failure.reason() != Reason.MOVED) {
        throw failure;
      }
      if (!isBehind(partition, call.epoch)) {
        throw withRoutingVersion(failure);
      }
    }
    return carryOutAfterRefresh(partition, calls, timeout, what);
  }

  /** The caller knows of a flip that this server has not heard of yet. */
  private <T> T carryOutAfterRefresh(
      String partition, NewCall<T> calls, Duration timeout, String what) {
    try {
      cell(partition).refresh();
      return submit(partition, calls.create()).await(timeout, what);
    } catch (PartitionException failure) {
      throw failure.reason() == Reason.MOVED ? withRoutingVersion(failure) : failure;
    }
  }

  private PartitionException withRoutingVersion(PartitionException moved) {
    if (moved.routingVersion().isPresent()) {
      return moved;
    }
    try {
      return moved.atRoutingVersion(journals.routingVersion());
    } catch (DatabaseException unread) {
      moved.addSuppressed(unread); // the refusal is true all the same
      return moved;
    }
  }

  private boolean isBehind(String partition, long epoch) {
    PartitionCell cell = cells.get(partition);
    ActiveActor active = cell == null ? null : cell.active();
    return active != null && active.tenure().epoch() < epoch;
  }

  private <T> PartitionCall<T> submit(String partition, PartitionCall<T> call) {
    while (!cell(partition).submit(call)) {
      Thread.onSpinWait();
    }
    return call;
  }

  /** The cell of a partition. Whether it is this server's shows when the actor is loaded. */
  private PartitionCell cell(String partition) {
    while (true) {
      if (closed) {
        throw closing();
      }
      PartitionCell cell = cells.get(partition);
      if (cell == null) {
        cell = activation.newCell(partition);
        if (closed) { // and may have looked at all cells before this one was there
          cell.close(active -> true, closing());
        }
      }
      if (!cell.isClosed()) {
        return cell;
      }
      cells.remove(partition, cell);
    }
  }

  private static PartitionException closing() {
    return new PartitionException(Reason.MOVED, "This server is closing");
  }

  /** Writes checkpoints of all actors and drops them. Queued requests are refused. */
  @Override
  public void close() {
    closeAll(Checkpoints::writeNow);
  }

  /** Some at a time: one that does not come back from a request holds up few others. */
  private void closeAll(PartitionCell.Control<?> last) {
    closed = true;
    housekeeping.close();
    Semaphore room = new Semaphore(CLOSED_AT_A_TIME);
    for (PartitionCell cell : List.copyOf(cells.values())) {
      room.acquireUninterruptibly();
      Thread.ofVirtual()
          .name("tidemark-partition-close-" + cell.partition())
          .start(
              () -> {
                try {
                  cell.close(last, closing());
                } catch (Throwable failure) {
                  Failures.report("The end of " + cell.partition() + " failed", failure);
                } finally {
                  room.release();
                }
              });
    }
    room.acquireUninterruptibly(CLOSED_AT_A_TIME);
  }

  /**
   * Drops all actors at once, as a crash would: accepted requests may or may not become durable.
   */
  public void abandon() {
    closeAll(active -> true);
  }
}
