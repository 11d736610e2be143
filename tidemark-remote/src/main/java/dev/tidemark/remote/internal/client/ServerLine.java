package dev.tidemark.remote.internal.client;

import com.google.protobuf.ByteString;
import dev.tidemark.grpc.Address;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.remote.RemoteOptions;
import dev.tidemark.remote.internal.wire.Reply;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client's connection to its server, and the next one when that is lost. */
final class ServerLine implements Connection.Listener, AutoCloseable {
  private final Address address;
  private final RemoteOptions options;
  private final ServerTime time;
  private final Dialer dialer;
  private final Supplier<Call> hellos;
  private final Runnable onConnected;
  private final Consumer<Reply> onWatchEnded;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /**
   * Connections that are not lost: the current one, and those that a closing server still answers.
   */
  private final Set<Connection> alive = ConcurrentHashMap.newKeySet();

  // Written under lock.
  private volatile @Nullable Connection current;
  private volatile Limits limits = Limits.DEFAULTS;
  private volatile boolean closed;
  private volatile @Nullable DatabaseException lastFailure;
  private boolean dialing;

  /**
   * A line to {@code address} that begins each connection with one of {@code hellos}, sets {@code
   * time} by it, and calls {@code onConnected} with each new connection and {@code onWatchEnded}
   * with replies to watches.
   */
  ServerLine(
      Address address,
      RemoteOptions options,
      ServerTime time,
      Supplier<Call> hellos,
      Runnable onConnected,
      Consumer<Reply> onWatchEnded) {
    this.address = address;
    this.options = options;
    this.time = time;
    this.dialer = new Dialer(address, options);
    this.hellos = hellos;
    this.onConnected = onConnected;
    this.onWatchEnded = onWatchEnded;
  }

  /** Makes a connection, which becomes the current one. */
  void dial() {
    long began = options.time().nanos();
    Dialer.Greeted greeted = dialer.dial(hellos.get(), this);
    time.learn(greeted.welcome().getClockMicros(), began);
    Connection made = greeted.connection();
    try {
      use(made, Connection.limits(greeted.welcome()));
      onConnected.run();
    } catch (RuntimeException | Error failure) {
      alive.remove(made);
      made.close("The connection was not made");
      throw failure;
    }
  }

  private void use(Connection made, Limits told) {
    lock.lock();
    try {
      checkOpen();
      alive.add(made);
      limits = told;
      current = made;
      lastFailure = null;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (!made.isOpen()) {
      left(made); // It was lost before it was the current one.
    }
  }

  /** The connection if it is open, or null. */
  @Nullable Connection openConnection() {
    Connection open = current;
    return open != null && open.isOpen() ? open : null;
  }

  /**
   * The connection; where it is lost, waits for the next one, at most {@code nanos} and the request
   * timeout.
   */
  Connection connection(long nanos) {
    Connection open = openConnection();
    return open == null ? nextConnection(nanos) : open;
  }

  private Connection nextConnection(long nanos) {
    long patience = options.requestTimeout().toNanos();
    long left = Math.min(nanos, patience);
    lock.lock();
    try {
      Connection open = openConnection();
      while (open == null) {
        checkOpen();
        checkNotRefused();
        if (left <= 0) {
          throw nanos < patience ? timedOut() : unavailable();
        }
        left = changed.awaitNanos(left);
        open = openConnection();
      }
      checkOpen();
      return open;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted while waiting for a connection to " + address, interrupt);
    } finally {
      lock.unlock();
    }
  }

  /** With a server that refuses this client, waiting does not help. */
  private void checkNotRefused() {
    DatabaseException failure = lastFailure;
    if (failure != null && !failure.retryable()) {
      throw UsageException.reported(failure.code(), String.valueOf(failure.getMessage()));
    }
  }

  private DatabaseException timedOut() {
    return new TransactionTimedOutException(
        "The transaction's timeout was over before there was a connection to " + address, false);
  }

  private DatabaseException unavailable() {
    return UnavailableException.unanswered(
        "No connection to %s for %s; nothing was sent".formatted(address, options.requestTimeout()),
        lastFailure);
  }

  @Override
  public void left(Connection connection) {
    lock.lock();
    try {
      if (connection.isLost()) {
        alive.remove(connection);
      }
      if (connection == current && !dialing && !closed) {
        dialing = true;
        Thread.startVirtualThread(this::redial);
      }
    } finally {
      lock.unlock();
    }
  }

  private void redial() {
    boolean trying = true;
    for (int failures = 0; trying && !closed; failures++) {
      try {
        dialer.pause(failures);
        dial();
        trying = false;
      } catch (DatabaseException failure) {
        failed(failure);
      } catch (RuntimeException | Error failure) {
        failed(notMade(failure));
      } catch (InterruptedException interrupt) {
        trying = false; // No other code has this thread to interrupt it.
      }
    }
    lock.lock();
    try {
      dialing = false;
      Connection made = current;
      if (made != null && !made.isOpen()) {
        left(made);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Any failure: without a next attempt there would never be a connection again. */
  private DatabaseException notMade(Throwable failure) {
    return UnavailableException.unreachable(
        "The connection to %s was not made: %s".formatted(address, failure), failure);
  }

  private void failed(DatabaseException failure) {
    lock.lock();
    try {
      lastFailure = failure;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void watchEnded(Reply reply) {
    onWatchEnded.accept(reply);
  }

  /** Ends calls that began before {@code tick}, and sends the queue. */
  void expire(int tick) {
    alive.forEach(connection -> connection.expire(tick, options.requestTimeout()));
  }

  /** What calls beside the session go over. */
  GrpcChannel channel() {
    return dialer.channel();
  }

  /** The opening of the store that the last connection is of. */
  ByteString opening() {
    Connection last = current;
    return last == null ? ByteString.EMPTY : last.opening();
  }

  /** The limits of the served database. */
  Limits limits() {
    return limits;
  }

  boolean isClosed() {
    return closed;
  }

  void checkOpen() {
    if (closed) {
      throw TransactionClosedException.databaseClosed(whyClosed());
    }
  }

  private String whyClosed() {
    return "The connection to the database at " + address + " is closed";
  }

  /** Waits until the line is closed, at most {@code nanos}; returns whether it is. */
  boolean awaitClosed(long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      return closed;
    } catch (InterruptedException interrupt) {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Takes no further requests; those under way go on. */
  void refuse() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all connections and their calls. */
  @Override
  public void close() {
    refuse();
    alive.forEach(connection -> connection.close(whyClosed()));
    dialer.close();
  }
}
