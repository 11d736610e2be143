package dev.tidemark.grpc.internal.server;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the open calls of a listener's own methods. Calls of the health service are not counted: a
 * watch of the health does not end by itself.
 */
public final class OpenCalls extends ServerStreamTracer.Factory {
  private static final ServerStreamTracer NOT_COUNTED = new ServerStreamTracer() {};

  private final Set<String> methods;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private long open;

  /** A count of the calls of {@code methods}. */
  public OpenCalls(Set<String> methods) {
    this.methods = Set.copyOf(methods);
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    if (!methods.contains(method)) {
      return NOT_COUNTED;
    }
    change(1);
    return new CountedCall();
  }

  private void change(int difference) {
    lock.lock();
    try {
      open += difference;
      if (open == 0) {
        ended.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many there are. */
  public long count() {
    lock.lock();
    try {
      return open;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is none, at most {@code nanos}. */
  public void awaitNone(long nanos) throws InterruptedException {
    long left = nanos;
    lock.lock();
    try {
      while (open > 0 && left > 0) {
        left = ended.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private final class CountedCall extends ServerStreamTracer {
    private final AtomicBoolean closed = new AtomicBoolean();

    @Override
    public void streamClosed(Status status) {
      if (closed.compareAndSet(false, true)) {
        change(-1);
      }
    }
  }
}
