package dev.tidemark.remote.internal.client;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.spi.KeyWatch;
import dev.tidemark.remote.internal.transport.Failures;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.UnwatchKey;
import dev.tidemark.remote.internal.wire.WatchKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The watches of a client. The server compares the current value with the one that was seen when it
 * gets the request, so that a watch can be requested again on a new connection and misses nothing.
 */
public final class ClientWatches {
  private final LongSupplier ids;
  private final Consumer<Request> sender;
  private final AtomicInteger open = new AtomicInteger();

  /** The watches that are made and not ended, active or not, by their requests. */
  private final ConcurrentHashMap<KeyWatch, Request> requests = new ConcurrentHashMap<>();

  private final ConcurrentHashMap<Long, KeyWatch> active = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Watches numbered from {@code ids}, whose requests go out by {@code sender}. */
  public ClientWatches(LongSupplier ids, Consumer<Request> sender) {
    this.ids = ids;
    this.sender = sender;
  }

  public KeyWatch create(Key key, byte @Nullable [] seen, int limit) {
    if (open.incrementAndGet() > limit) {
      open.decrementAndGet();
      throw LimitExceededException.watches(limit);
    }
    WatchKey.Builder wanted = WatchKey.newBuilder().setKey(Wire.bytes(key));
    if (seen != null) {
      wanted.setSeen(ByteString.copyFrom(seen));
    }
    KeyWatch watch = new KeyWatch(key, seen, this::ended);
    requests.put(watch, Request.newBuilder().setId(ids.getAsLong()).setWatchKey(wanted).build());
    return watch;
  }

  /** Registers {@code watch} at the server. */
  public void activate(KeyWatch watch) {
    Request request = requests.get(watch);
    if (closed || request == null) {
      watch.close();
      return;
    }
    active.put(request.getId(), watch);
    if (watch.isOpen() && !closed) {
      ask(request);
    } else {
      watch.close();
      active.remove(request.getId());
    }
  }

  /** Asks for all active watches, from a server that does not know them. */
  public void askForAll() {
    active.values().stream()
        .map(requests::get)
        .filter(request -> request != null)
        .toList()
        .forEach(this::ask);
  }

  /** A watch that ended meanwhile may have been removed at the server before it was requested. */
  private void ask(Request request) {
    sender.accept(request);
    if (!active.containsKey(request.getId())) {
      tellEnd(request);
    }
  }

  private void tellEnd(Request request) {
    UnwatchKey end = UnwatchKey.newBuilder().setWatch(request.getId()).build();
    sender.accept(Request.newBuilder().setUnwatchKey(end).build());
  }

  /**
   * A watch fired, or the server gave it up. If a retry may succeed it fires too: its waiter reads
   * the key, and gets the failure.
   */
  void ended(Reply reply) {
    KeyWatch watch = active.get(reply.getId());
    if (watch == null) {
      return;
    }
    if (reply.hasFired()) {
      watch.fire();
      return;
    }
    DatabaseException failure = Failures.toException(reply.getFailure(), false);
    if (failure.retryable()) {
      watch.fire();
    } else {
      watch.fail(failure);
    }
  }

  private void ended(KeyWatch watch) {
    Request request = requests.remove(watch);
    if (request != null && active.remove(request.getId()) != null && !watch.fired() && !closed) {
      tellEnd(request);
    }
    // Last, so that a watch that takes its place is requested after this one was removed at the
    // server.
    open.decrementAndGet();
  }

  void close() {
    closed = true;
    requests.keySet().forEach(KeyWatch::close);
  }
}
