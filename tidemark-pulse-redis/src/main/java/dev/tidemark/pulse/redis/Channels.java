package dev.tidemark.pulse.redis;

import dev.tidemark.kv.Key;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The channels that this process listens to, over one connection. Messages are not kept by Redis:
 * those sent while the connection is down are lost, which every listener is told.
 */
final class Channels implements AutoCloseable {
  private final Connector connector;
  private final Link link;
  private final Map<Key, List<Listener>> listeners = new ConcurrentHashMap<>();

  /** Channels that the server has confirmed since this process asked for them. */
  private final Set<Key> confirmed = ConcurrentHashMap.newKeySet();

  /** Guards who is the first and the last of a channel. Nobody waits for the server with it. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Guards the opening of the connection. */
  private final ReentrantLock opening = new ReentrantLock();

  private volatile @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;

  Channels(Connector connector, Link link) {
    this.connector = connector;
    this.link = link;
  }

  /** Who listens. Called by the thread of the connection: hands over and returns at once. */
  interface Listener {
    /** Something was published. */
    void message(byte[] content);

    /** Messages may have been lost before this moment. */
    void interrupted();
  }

  /** Ends a listener. */
  @FunctionalInterface
  interface Listening extends AutoCloseable {
    @Override
    void close();
  }

  /** Calls {@code listener} for every message from the moment that this returns. */
  Listening listen(String channel, Listener listener) {
    Key key = Key.utf8(channel);
    lock.lock();
    try {
      listeners.computeIfAbsent(key, none -> new CopyOnWriteArrayList<>()).add(listener);
    } finally {
      lock.unlock();
    }
    try {
      StatefulRedisPubSubConnection<byte[], byte[]> open = connection();
      link.patiently(
          () ->
              Session.await(
                  link.options().commandTimeout(), open.async().subscribe(key.toByteArray())));
    } catch (RuntimeException refused) {
      stop(key, listener);
      throw refused;
    }
    return () -> stop(key, listener);
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
          var unused = open.async().unsubscribe(channel.toByteArray());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private StatefulRedisPubSubConnection<byte[], byte[]> connection() {
    StatefulRedisPubSubConnection<byte[], byte[]> open = connection;
    if (open != null) {
      return open;
    }
    opening.lock();
    try {
      open = connection;
      if (open == null) {
        open = link.patiently(connector::openChannels);
        open.addListener(new Dispatch());
        connection = open;
      }
      return open;
    } finally {
      opening.unlock();
    }
  }

  /** Hands what the connection says to the listeners of the channel. */
  private final class Dispatch extends RedisPubSubAdapter<byte[], byte[]> {
    @Override
    public void message(byte[] channel, byte[] content) {
      of(channel).forEach(listener -> listener.message(content));
    }

    /** Said again for every channel whenever the connection has come back. */
    @Override
    public void subscribed(byte[] channel, long count) {
      if (!confirmed.add(Key.of(channel))) {
        of(channel).forEach(Listener::interrupted);
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
