package dev.tidemark.pulse.internal.pool.member;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.pulse.internal.pool.rows.PoolConfig;
import dev.tidemark.pulse.internal.spi.Backend;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolOptions;
import java.time.Duration;
import java.util.UUID;

/**
 * What all parts of one member of a pool share.
 *
 * @param name the name of the pool
 * @param backend the store
 * @param rows the rows of the pool
 * @param options how the member works
 * @param config the part of them that all nodes share
 * @param counts what the member has done
 */
public record PoolCore(
    String name,
    Backend backend,
    RowStore rows,
    PoolOptions options,
    PoolConfig config,
    PoolCounts counts) {
  /** What a handler says is stored with its job; more than this of it is of no use there. */
  private static final int TEXT_MAX = 2_000;

  public static PoolCore open(Backend backend, String name, PoolOptions options) {
    return new PoolCore(
        name, backend, backend.pool(name), options, PoolConfig.of(options), new PoolCounts());
  }

  /** The time of the store in milliseconds. Asked for before a transition, never inside. */
  public long now() {
    return backend.now().toEpochMilli();
  }

  public long nanos() {
    return backend.time().nanos();
  }

  /** An id that no other member has. */
  public static String newId(String prefix) {
    return prefix + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
  }

  /** Tells of a failure that no caller can be told of. */
  public void report(String what, Throwable cause) {
    try {
      options.onError().accept(new PoolException(what + ": " + describe(cause), cause));
    } catch (Throwable listenerFailed) {
      cause.addSuppressed(listenerFailed);
      PoolOptions.LOG.accept(new PoolException(what + ", and onError failed as well", cause));
    }
  }

  /** Does so on a thread of its own, for callers that cannot wait for a listener. */
  public void reportAside(String what, Throwable cause) {
    Thread.ofVirtual().name("pulse-report-" + name).start(() -> report(what, cause));
  }

  /** What a handler threw, as text that is short enough to be stored. */
  public static String describe(Throwable failure) {
    String message = failure.getMessage();
    String name = failure.getClass().getName();
    return shortened(message == null ? name : name + ": " + message);
  }

  private static String shortened(String text) {
    if (text.length() <= TEXT_MAX) {
      return text;
    }
    boolean inPair = Character.isHighSurrogate(text.charAt(TEXT_MAX - 1));
    return text.substring(0, inPair ? TEXT_MAX - 1 : TEXT_MAX) + "…";
  }

  /** Lets the thread wait; whether it was not interrupted. */
  public boolean pause(Duration duration) {
    try {
      backend.time().sleep(duration);
      return true;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
