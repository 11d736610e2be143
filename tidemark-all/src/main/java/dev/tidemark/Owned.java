package dev.tidemark;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What is closed together, the newest first. */
final class Owned {
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<AutoCloseable> newestFirst = new ArrayDeque<>(); // guarded by lock
  private boolean closed; // guarded by lock

  /**
   * Takes over {@code resource}, and closes it at once if everything is closed already.
   *
   * @throws IllegalStateException if everything is closed already
   */
  <R extends AutoCloseable> R add(R resource) {
    lock.lock();
    try {
      if (!closed) {
        newestFirst.push(resource);
        return resource;
      }
    } finally {
      lock.unlock();
    }
    IllegalStateException late =
        new IllegalStateException("This Tidemark is closed; open another one");
    closeOne(resource, late);
    throw late;
  }

  void close() {
    @Nullable Throwable failure = null;
    for (AutoCloseable next = next(); next != null; next = next()) {
      failure = closeOne(next, failure);
    }
    switch (failure) {
      case null -> {}
      case RuntimeException unchecked -> throw unchecked;
      case Error error -> throw error;
      default -> throw new IllegalStateException("A resource could not be closed", failure);
    }
  }

  private @Nullable AutoCloseable next() {
    lock.lock();
    try {
      closed = true;
      return newestFirst.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the first failure so far. */
  private static @Nullable Throwable closeOne(AutoCloseable resource, @Nullable Throwable before) {
    try {
      resource.close();
      return before;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return joined(before, interrupted);
    } catch (Exception | Error failure) {
      return joined(before, failure);
    }
  }

  private static Throwable joined(@Nullable Throwable before, Throwable failure) {
    if (before == null) {
      return failure;
    }
    before.addSuppressed(failure);
    return before;
  }
}
