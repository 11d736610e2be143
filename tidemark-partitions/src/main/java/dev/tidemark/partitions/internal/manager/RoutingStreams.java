package dev.tidemark.partitions.internal.manager;

import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.wire.RoutingUpdate;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Pushes routing tables to watchers, the latest only: a watcher that is slow misses tables between
 * and ends on the last. Watchers are told apart by their stream, so that two of the same name do
 * not disturb each other.
 */
final class RoutingStreams {
  /** From this size on, what changed is sent instead of the whole table, where it is less. */
  private static final int DELTAS_FROM = 32;

  /** Messages of one version that are kept for other watchers. */
  private static final int MADE_MAX = 16;

  private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
  private final AtomicReference<RoutingTable> latest = new AtomicReference<>(RoutingTable.EMPTY);

  /** Held while a message is made, so that watchers that come together get the same one. */
  private final ReentrantLock making = new ReentrantLock();

  /** The whole table, and the changes since earlier versions, by version. Guarded by making. */
  private final Map<Long, RoutingUpdate> made = new HashMap<>();

  /** The version that those are of. Guarded by making. */
  private long madeVersion;

  private volatile boolean ended;

  /** Begins to push to a watcher: the table of now at once, if there is one. */
  void open(ServerCallStreamObserver<RoutingUpdate> observer) {
    Stream stream = new Stream(observer);
    observer.setOnCancelHandler(() -> streams.remove(stream));
    observer.setOnReadyHandler(stream::pump);
    streams.add(stream);
    stream.pump();
    if (ended) {
      stream.end();
    }
  }

  /** Pushes a table that is newer than those before. */
  void push(RoutingTable table) {
    latest.accumulateAndGet(
        table, (known, given) -> given.version() > known.version() ? given : known);
    streams.forEach(Stream::pump);
  }

  int watchers() {
    return streams.size();
  }

  /** Ends all streams, so that their watchers go to another manager. */
  void end() {
    ended = true;
    streams.forEach(Stream::end);
  }

  /**
   * The message that takes a watcher from {@code base} to {@code table}, shared by many watchers.
   */
  private RoutingUpdate message(RoutingTable base, RoutingTable table) {
    boolean delta = base.version() > 0 && table.size() >= DELTAS_FROM;
    making.lock();
    try {
      if (table.version() < madeVersion) {
        return made(base, table, delta);
      }
      if (table.version() > madeVersion || made.size() == MADE_MAX) {
        made.clear();
        madeVersion = table.version();
      }
      return made.computeIfAbsent(delta ? base.version() : 0, from -> made(base, table, delta));
    } finally {
      making.unlock();
    }
  }

  private static RoutingUpdate made(RoutingTable base, RoutingTable table, boolean delta) {
    if (delta) {
      RoutingUpdate update = WireRoutes.delta(base, table);
      if (update.getEntriesCount() + update.getRemovedPartitionIdsCount() <= table.size()) {
        return update;
      }
    }
    return WireRoutes.whole(table);
  }

  private final class Stream {
    private final ServerCallStreamObserver<RoutingUpdate> observer;
    private final ReentrantLock sending = new ReentrantLock();

    // Guarded by sending.
    private RoutingTable sent = RoutingTable.EMPTY;
    private boolean over;

    Stream(ServerCallStreamObserver<RoutingUpdate> observer) {
      this.observer = observer;
    }

    /** Sends the latest table if the watcher has room for it and does not have it. */
    void pump() {
      sending.lock();
      try {
        RoutingTable table = latest.get();
        while (!over && observer.isReady() && table.version() > sent.version()) {
          observer.onNext(message(sent, table));
          sent = table;
          table = latest.get();
        }
      } catch (RuntimeException cancelled) {
        // The call ended meanwhile; its cancel handler removes the stream.
        over = true;
        streams.remove(this);
      } finally {
        sending.unlock();
      }
    }

    void end() {
      sending.lock();
      try {
        if (!over) {
          over = true;
          observer.onError(
              Status.UNAVAILABLE.withDescription("This manager stops").asRuntimeException());
        }
      } catch (RuntimeException cancelled) {
        over = true;
      } finally {
        sending.unlock();
        streams.remove(this);
      }
    }
  }
}
