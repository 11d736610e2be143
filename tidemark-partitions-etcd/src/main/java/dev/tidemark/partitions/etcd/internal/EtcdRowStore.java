package dev.tidemark.partitions.etcd.internal;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Backoff;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UnavailableException;
import io.etcd.jetcd.Client;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Rows in etcd. A transition is a transaction that compares revisions, a wake-up a put. */
public final class EtcdRowStore implements RowStore {
  private static final int ATTEMPTS_MAX = 1_000;
  private static final Backoff PAUSES = Backoff.of(Duration.ofMillis(2), Duration.ofMillis(50));

  private final Client client;
  private final EtcdCalls calls;
  private final EtcdKeys keys;
  private final TimeSource time;
  private final Set<EtcdListening> listeners = ConcurrentHashMap.newKeySet();

  /** Rows below {@code prefix}; the client is closed with them. */
  public EtcdRowStore(Client client, EtcdCalls calls, String prefix, TimeSource time) {
    this.client = client;
    this.calls = calls;
    this.keys = new EtcdKeys(prefix);
    this.time = time;
  }

  @Override
  public <T> T transact(Body<T> body) {
    return attempts(body, true);
  }

  @Override
  public <T> T read(Body<T> body) {
    return attempts(body, false);
  }

  private <T> T attempts(Body<T> body, boolean writing) {
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      try {
        EtcdAttempt rows = new EtcdAttempt(calls, keys, writing);
        T result = body.apply(rows);
        if (!writing || rows.commit()) {
          return result;
        }
      } catch (EtcdCalls.OutdatedException compacted) {
        // Everything is read again, at a revision that is there.
      }
      pause(attempt);
    }
    throw UnavailableException.unreachable(
        "A transition lost %,d races for its rows in etcd; too many change them at a time"
            .formatted(ATTEMPTS_MAX),
        null);
  }

  private void pause(int attempt) {
    try {
      PAUSES.pause(attempt, time);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted between two attempts", interrupt);
    }
  }

  @Override
  public <T> T transactJoined(JoinedBody<T> body) {
    throw noTransactions();
  }

  @Override
  public Rows in(Transaction tx) {
    throw noTransactions();
  }

  private static UnsupportedOperationException noTransactions() {
    return new UnsupportedOperationException(
        "Rows in etcd cannot join a transaction of Tidemark's store; keep them in the store for that");
  }

  @Override
  public Listening onWake(String channel, Consumer<byte[]> listener) {
    EtcdListening listening =
        EtcdListening.start(
            client.getWatchClient(),
            calls,
            keys.wake(channel),
            time,
            "etcd-wake-" + channel,
            () -> listener.accept(NO_HINT));
    listeners.add(listening);
    return () -> {
      listeners.remove(listening);
      listening.close();
    };
  }

  /** Ends the listeners and the connections. */
  @Override
  public void close() {
    listeners.forEach(EtcdListening::close);
    listeners.clear();
    client.close();
  }
}
