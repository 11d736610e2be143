package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.kv.InterruptedOperationException;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one thread at a time connect. The others wait for one attempt at most: if it fails, they do
 * not each have to try in turn.
 */
final class Turns {
  private final ReentrantLock lock = new ReentrantLock();
  private final Duration atMost;

  /**
   * Turns of which one takes this long at most.
   *
   * @param atMost how long others wait
   */
  Turns(Duration atMost) {
    this.atMost = atMost;
  }

  /**
   * What {@code connect} returns, which is called when nobody else's is.
   *
   * @throws RedisException if another one takes too long
   */
  <T> T take(Supplier<T> connect) {
    begin();
    try {
      return connect.get();
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    try {
      if (!lock.tryLock(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new RedisException(
            "No connection has come about within " + atMost.toMillis() + " ms");
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while connecting to Redis", interrupt);
    }
  }
}
