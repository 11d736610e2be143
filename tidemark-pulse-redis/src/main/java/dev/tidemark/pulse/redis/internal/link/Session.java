package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.kv.InterruptedOperationException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that many threads may share, as long as no command blocks on it. It reconnects by
 * itself, also when replies fail to come although the connection is open; commands under way then
 * fail.
 */
public final class Session implements AutoCloseable {
  private static final int CLOSING_MILLIS_MAX = 500;

  private final Supplier<Wire> connect;

  private final Turns turns;
  private final AtomicReference<@Nullable Wire> wire = new AtomicReference<>();
  private volatile boolean closed;

  /** A connection of Lettuce and what can be said over it. */
  record Wire(
      StatefulConnection<byte[], byte[]> connection,
      RedisClusterAsyncCommands<byte[], byte[]> commands) {
    void close() {
      try {
        connection.closeAsync().get(CLOSING_MILLIS_MAX, TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException broken) {
        // What is left of it goes with the client.
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Session(Supplier<Wire> connect, Duration connectTimeout) {
    this.connect = connect;
    this.turns = new Turns(connectTimeout);
  }

  /**
   * A session that is connected.
   *
   * @param connectTimeout how long {@code connect} may take
   * @throws RedisException if no connection can be made
   */
  static Session open(Supplier<Wire> connect, Duration connectTimeout) {
    Session session = new Session(connect, connectTimeout);
    session.wire();
    return session;
  }

  private Wire wire() {
    Wire open = wire.get();
    return open != null ? open : turns.take(this::connect);
  }

  private Wire connect() {
    if (closed) {
      throw new RedisException("The connection is closed");
    }
    Wire open = wire.get();
    if (open == null) {
      open = connect.get();
      wire.set(open);
    }
    if (closed) {
      open.close();
      throw new RedisException("The connection was closed while it came about");
    }
    return open;
  }

  /**
   * Sends one command and waits for its answer.
   *
   * @throws RedisException if the server refuses it, the connection breaks, or no answer comes in
   *     time
   */
  public <T> T ask(
      Duration timeout,
      Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    Wire used = wire();
    try {
      return await(timeout, command.apply(used.commands()));
    } catch (RedisException failure) {
      if (failure.getCause() instanceof TimeoutException || Failure.isOfReplica(failure)) {
        abandon(used);
      }
      throw failure;
    }
  }

  /**
   * Gives up a wire over which no answer came, or that ends at a server which is no longer the
   * primary; the next command makes another one.
   */
  private void abandon(Wire useless) {
    if (wire.compareAndSet(useless, null)) {
      useless.close();
    }
  }

  /** The result of {@code future}, with the failures of {@link #ask}. */
  public static <T> T await(Duration timeout, RedisFuture<T> future) {
    try {
      return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof RedisException cause
          ? cause
          : new RedisException(failure.getCause());
    } catch (CancellationException cancelled) {
      throw new RedisException("The command was cancelled", cancelled);
    } catch (TimeoutException late) {
      future.cancel(true);
      throw new RedisException("No answer within " + timeout.toMillis() + " ms", late);
    } catch (InterruptedException interrupt) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for Redis", interrupt);
    }
  }

  /** Whether a command can be sent without connecting first. */
  boolean isConnected() {
    Wire open = wire.get();
    return !closed && open != null && open.connection().isOpen();
  }

  boolean isClosed() {
    return closed;
  }

  /** Ends the connection; a command under way fails at once. */
  @Override
  public void close() {
    closed = true;
    Wire open = wire.getAndSet(null);
    if (open != null) {
      open.close();
    }
  }
}
