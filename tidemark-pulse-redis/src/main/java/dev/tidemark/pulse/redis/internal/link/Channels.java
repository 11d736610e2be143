package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.kv.Key;
import io.lettuce.core.RedisException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The channels that this process listens to, over one connection. Messages are not kept by Redis:
 * those sent while the connection is down are lost, which every listener is told. A connection that
 * does not answer, though nobody has closed it, is replaced by another one.
 */
public final class Channels implements AutoCloseable {
  private final Connector connector;
  private final Link link;
  private final Map<Key, List<Listener>> listeners = new ConcurrentHashMap<>();

  /** Channels that the server has confirmed since this process asked for them. */
  private final Set<Key> confirmed = ConcurrentHashMap.newKeySet();

  /** Guards who is the first and the last of a channel. Nobody waits for the server with it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Turns turns;
  private volatile @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;

  public Channels(Connector connector, Link link) {
    this.connector = connector;
    this.link = link;
    this.turns = new Turns(link.options().connectTimeout());
  }

  /** Who listens. Called by the thread of the connection: hands over and returns at once. */
  public interface Listener {
    /** Something was published. */
    void message(byte[] content);

    /** Messages may have been lost before this moment. */
    void interrupted();
  }

  /** Ends a listener. */
  @FunctionalInterface
  public interface Listening extends AutoCloseable {
    @Override
    void close();
  }

  /** Calls {@code listener} for every message from the moment that this returns. */
  public Listening listen(String channel, Listener listener) {
    Key key = Key.utf8(channel);
    lock.lock();
    try {
      listeners.computeIfAbsent(key, none -> new CopyOnWriteArrayList<>()).add(listener);
    } finally {
      lock.unlock();
    }
    try {
      link.patiently(() -> subscribe(key));
    } catch (RuntimeException refused) {
      stop(key, listener);
      throw refused;
    }
    return () -> stop(key, listener);
  }

  private boolean subscribe(Key channel) {
    StatefulRedisPubSubConnection<byte[], byte[]> open = connection();
    try {
      subscribe(open, Set.of(channel));
      return true;
    } catch (RedisException failure) {
      if (failure.getCause() instanceof TimeoutException) {
        turns.take(() -> replace(open));
      }
      throw failure;
    }
  }

  private void stop(Key channel, Listener listener) {
    lock.lock();
    try {
      List<Listener> left = listeners.get(channel);
      if (left != null && left.remove(listener) && left.isEmpty()) {
        listeners.remove(channel);
        confirmed.remove(channel);
        StatefulRedisPubSubConnection<byte[], byte[]> open = connection;
        if (open != null) {
          unsubscribe(open, channel.toByteArray());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** If it gets lost, the channel is noticed when the connection comes back. */
  private static void unsubscribe(
      StatefulRedisPubSubConnection<byte[], byte[]> from, byte[] channel) {
    var unused = from.async().unsubscribe(channel);
  }

  private StatefulRedisPubSubConnection<byte[], byte[]> connection() {
    StatefulRedisPubSubConnection<byte[], byte[]> open = connection;
    return open != null ? open : turns.take(this::openIfNone);
  }

  private StatefulRedisPubSubConnection<byte[], byte[]> openIfNone() {
    StatefulRedisPubSubConnection<byte[], byte[]> open = connection;
    if (open == null) {
      open = open();
      connection = open;
    }
    return open;
  }

  private StatefulRedisPubSubConnection<byte[], byte[]> open() {
    StatefulRedisPubSubConnection<byte[], byte[]> opened = connector.openChannels();
    opened.addListener(new Dispatch(opened));
    return opened;
  }

  /** Puts another connection into the place of {@code useless}, and closes that. */
  private boolean replace(StatefulRedisPubSubConnection<byte[], byte[]> useless) {
    if (!useless.equals(connection)) {
      return false;
    }
    StatefulRedisPubSubConnection<byte[], byte[]> fresh = open();
    try {
      Set<Key> before = Set.copyOf(listeners.keySet());
      subscribe(fresh, before);
      connection = fresh;
      // Those who came meanwhile may have subscribed to the other one; later ones find this one.
      Set<Key> since = new HashSet<>(listeners.keySet());
      since.removeAll(before);
      subscribe(fresh, since);
    } finally {
      var unused = (useless.equals(connection) ? fresh : useless).closeAsync();
    }
    return true;
  }

  private void subscribe(StatefulRedisPubSubConnection<byte[], byte[]> open, Set<Key> channels) {
    if (!channels.isEmpty()) {
      byte[][] names = channels.stream().map(Key::toByteArray).toArray(byte[][]::new);
      Session.await(link.options().commandTimeout(), open.async().subscribe(names));
    }
  }

  /** Hands what a connection says to the listeners of the channel. */
  private final class Dispatch extends RedisPubSubAdapter<byte[], byte[]> {
    private final StatefulRedisPubSubConnection<byte[], byte[]> from;

    private Dispatch(StatefulRedisPubSubConnection<byte[], byte[]> from) {
      this.from = from;
    }

    @Override
    public void message(byte[] channel, byte[] content) {
      of(channel).forEach(listener -> listener.message(content));
    }

    /** Called again for every channel each time the connection is back. */
    @Override
    public void subscribed(byte[] channel, long count) {
      if (confirm(Key.of(channel))) {
        of(channel).forEach(Listener::interrupted);
      }
    }

    /**
     * Whether {@code channel} had been confirmed before. One that nobody listens to any more was
     * left while the connection was down.
     */
    private boolean confirm(Key channel) {
      lock.lock();
      try {
        if (listeners.containsKey(channel)) {
          return !confirmed.add(channel);
        }
        unsubscribe(from, channel.toByteArray());
        return false;
      } finally {
        lock.unlock();
      }
    }

    private List<Listener> of(byte[] channel) {
      return listeners.getOrDefault(Key.wrap(channel), List.of());
    }
  }

  /** Ends all listeners. The connection goes with the connector that opened it. */
  @Override
  public void close() {
    listeners.clear();
  }
}
