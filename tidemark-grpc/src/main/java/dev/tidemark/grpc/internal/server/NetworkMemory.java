package dev.tidemark.grpc.internal.server;

import dev.tidemark.grpc.NetworkRoom;
import dev.tidemark.kv.TimeSource;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.util.concurrent.FastThreadLocal;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/*
 * Why memory is checked where bytes arrive
 *
 * gRPC takes a message in pieces, and lets the client send the next piece as soon as it has the
 * last: a client that announces 40 MB and stops before the end holds as much direct memory for as
 * long as it likes. Replies that a client does not take, and requests that a layer has not asked
 * for, wait in direct memory too. No limit of messages, calls or connections bounds their sum.
 *
 * So a listener has an allocator of its own, which knows exactly how much is in use. Threads that
 * move bytes compare this with the limit every now and then. Beyond the limit the memory is full:
 * connections whose bytes arrive are not read, layers make no replies, and the connections that
 * have used the most memory for the longest time, in byte-seconds, are closed. A client whose
 * messages are complete soon after they begin has next to no byte-seconds, however large they are,
 * so it is never the first to be closed.
 *
 * Each piece also costs objects on the heap. They count as PIECE_BYTES, so that a message in
 * pieces of one byte counts as much as the memory that it takes.
 */

/** The memory that the network holds for the clients of a listener, and its limit. */
public final class NetworkMemory extends ServerStreamTracer.Factory implements NetworkRoom {
  /** About what gRPC and Netty allocate on the heap for a piece of a message. */
  static final int PIECE_BYTES = 256;

  /** As gRPC's own allocator: chunks of 2 MiB. */
  private static final int MAX_ORDER = 8;

  private static final long LOOK_BYTES_MIN = 1 << 16;
  private static final long LOOK_BYTES_MAX = 1 << 20;
  private static final long LOOK_MILLIS = 1;

  /** After so many checks without a connection to close, work goes on as if there was room. */
  private static final int LOOKS_IN_VAIN = 100;

  /** The part of the limit down to which connections are closed. */
  private static final double ENOUGH = 0.8;

  private final long limit;
  private final long lookBytes;
  private final ScheduledExecutorService timer;
  private final TimeSource time = TimeSource.system();
  private final PooledByteBufAllocator allocator =
      new PooledByteBufAllocator(
          true,
          PooledByteBufAllocator.defaultNumHeapArena(),
          PooledByteBufAllocator.defaultNumDirectArena(),
          PooledByteBufAllocator.defaultPageSize(),
          MAX_ORDER,
          PooledByteBufAllocator.defaultSmallCacheSize(),
          PooledByteBufAllocator.defaultNormalCacheSize(),
          PooledByteBufAllocator.defaultUseCacheForAllThreads());
  private final Set<ConnectionMemory> connections = ConcurrentHashMap.newKeySet();
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

  /** Heap for pieces of messages that are not complete. */
  private final LongAdder pieceBytes = new LongAdder();

  private final AtomicLong movedSinceLook = new AtomicLong();
  private final AtomicBoolean full = new AtomicBoolean();
  private final LongAdder closed = new LongAdder();

  /** Used by the timer. */
  private int looksInVain;

  /** The connection whose bytes the current network thread is handling. */
  private final FastThreadLocal<@Nullable ConnectionMemory> current = new FastThreadLocal<>();

  /** Memory of which {@code limit} bytes may be in use; {@code timer} looks after it. */
  public NetworkMemory(long limit, ScheduledExecutorService timer) {
    this.limit = limit;
    this.lookBytes = Math.clamp(limit / 64, LOOK_BYTES_MIN, LOOK_BYTES_MAX);
    this.timer = timer;
  }

  PooledByteBufAllocator allocator() {
    return allocator;
  }

  /** Bytes in use. */
  public long used() {
    return allocator.pinnedDirectMemory() + pieceBytes.sum();
  }

  /** Connections that were closed because memory was full. */
  public long closed() {
    return closed.sum();
  }

  /** Watches over a connection that was accepted, until its memory is free. */
  void accepted(Channel channel) {
    ConnectionMemory connection = new ConnectionMemory(this, channel);
    connections.add(connection);
    channel.pipeline().addLast(connection);
  }

  void ended(ConnectionMemory connection) {
    connections.remove(connection);
  }

  /** The stream of a call, which begins while the bytes of its connection are handled. */
  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new StreamMemory(this, current.get());
  }

  void handling(@Nullable ConnectionMemory connection) {
    current.set(connection);
  }

  long nanos() {
    return time.nanos();
  }

  void addPieceBytes(long bytes) {
    pieceBytes.add(bytes);
  }

  // ---- room

  @Override
  public boolean isFull() {
    return full.get();
  }

  @Override
  public void whenFree(Runnable action) {
    waiting.add(action);
    if (!isFull()) {
      runWaiting();
    }
  }

  private void runWaiting() {
    Runnable next = waiting.poll();
    while (next != null) {
      next.run();
      // If it is full again, actions that have run wait again, and this would run for ever.
      next = isFull() ? null : waiting.poll();
    }
  }

  /** Notes that bytes have come or gone. */
  void moved(long bytes) {
    if (movedSinceLook.addAndGet(bytes) >= lookBytes) {
      movedSinceLook.set(0);
      if (used() > limit && full.compareAndSet(false, true)) {
        timer.execute(this::look);
      }
    }
  }

  /** Makes room; repeats this after a moment as long as there is none. */
  private void look() {
    boolean again = false;
    try {
      again = !makeRoom();
    } finally {
      // Also after a failure, which Netty logs: no action may wait for ever.
      if (again) {
        var unused = timer.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } else {
        looksInVain = 0;
        full.set(false);
        runWaiting();
      }
    }
  }

  private boolean makeRoom() {
    boolean scarce = used() > limit;
    looksInVain = scarce && !closeSome() ? looksInVain + 1 : 0;
    return !scarce || looksInVain >= LOOKS_IN_VAIN;
  }

  /**
   * Closes the connections with the most byte-seconds; false if none holds anything. The real
   * memory is larger than the bytes that connections count, by the same factor for all.
   */
  private boolean closeSome() {
    long now = nanos();
    List<Holding> holding =
        connections.stream()
            .map(each -> new Holding(each, each.bytes(), each.byteSeconds(now)))
            .filter(each -> each.bytes() > 0)
            .sorted(Comparator.comparingDouble(Holding::byteSeconds).reversed())
            .toList();
    long used = used();
    double known = holding.stream().mapToLong(Holding::bytes).sum();
    double excess = known * (used - ENOUGH * limit) / used;
    for (Holding each : holding) {
      if (each.connection().isClosing()) {
        excess -= each.bytes();
      }
    }
    for (Holding each : holding) {
      if (excess > 0 && !each.connection().isClosing()) {
        excess -= each.bytes();
        each.connection().close();
        closed.increment();
      }
    }
    return !holding.isEmpty();
  }

  private record Holding(ConnectionMemory connection, long bytes, double byteSeconds) {}
}
